//! State of a connection in the row of its space, so that a space still costs one statement to read.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Jsonb, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::git::{GitInstallationStatus, GitOperation, GitOperationState, GitProvider};
use quire_domain::ids::{GitInstallationId, SpaceId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::content::git_syncs::GitSyncRecord;
use crate::schema::spaces;
use crate::statement::sql_files;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Connection of a space as the space shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownGitSync {
    /// Id of the connection.
    pub installation: GitInstallationId,
    /// Provider of the repository.
    pub provider: GitProvider,
    /// URL of the repository, without credentials; `None` until it is set up.
    pub url: Option<String>,
    /// Full name of the branch; `None` for the branch of HEAD.
    pub reference: Option<String>,
    /// Folder of the content with a slash at its end; empty for the whole repository.
    pub project_directory: String,
    /// State of the access to the repository.
    pub status: GitInstallationStatus,
    /// Last synchronization that ended.
    pub operation: Option<GitOperation>,
    /// Time of this state.
    pub updated_at: Timestamp,
}

impl ShownGitSync {
    /// Returns whether the last synchronization failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let state = self.operation.as_ref().map(|operation| operation.state);
        matches!(state, Some(GitOperationState::Failure | GitOperationState::Timeout))
    }
}

/// Events of a connection, as far as its space shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// It was changed, or a synchronization changed one of the sides or failed.
    Something,
    /// A synchronization found nothing to do. Most do, and their times alone are not worth a write.
    Nothing,
}

sql_files! {
    ShowGitSync(SqlUuid, Jsonb, Bool) = "show.sql";
}

impl Tx<'_> {
    /// Locks the row of a space. It is locked before the rows of its connection, as an edit of the space locks it.
    pub(crate) fn lock_space_of_git(&mut self, space: SpaceId) -> Result<()> {
        let row: Option<Uuid> = spaces::table
            .find(space)
            .select(spaces::id)
            .for_no_key_update()
            .get_result(self.connection)
            .optional()?;
        row.map(drop).ok_or(Error::NotFound)
    }

    /// Writes the state of a connection, with its last run, to the row of its space.
    pub(crate) fn show_git_sync(&mut self, space: SpaceId, news: News) -> Result<()> {
        let last = self.read_git_sync(space)?;
        let status = last.as_ref().map_or(GitInstallationStatus::Pending, GitSyncRecord::status);
        self.show_git_operation(space, status, last.map(GitSyncRecord::into_operation), news)
    }

    /// Writes the state of a connection, with a synchronization that failed before its run, to the row of its space.
    pub(super) fn show_git_failure(&mut self, space: SpaceId, failure: GitOperation) -> Result<()> {
        let last = self.read_git_sync(space)?;
        let status = last.as_ref().map_or(GitInstallationStatus::Pending, GitSyncRecord::status);
        self.show_git_operation(space, status, Some(failure), News::Something)
    }

    fn show_git_operation(
        &mut self,
        space: SpaceId,
        status: GitInstallationStatus,
        operation: Option<GitOperation>,
        news: News,
    ) -> Result<()> {
        let Some(installation) = self.read_git_installation(space)? else { return Ok(()) };
        let shown = ShownGitSync {
            installation: installation.id,
            provider: installation.provider,
            url: installation.url,
            reference: installation.reference,
            project_directory: installation.project_directory,
            status,
            operation,
            updated_at: self.now,
        };
        let json = serde_json::to_value(&shown);
        let json = json.map_err(|error| Error::Internal("a connection can't be written", error.into()))?;
        ShowGitSync::bind((space, json, news == News::Something)).execute(self.connection)?;
        Ok(())
    }

    /// Removes the state of a connection from the row of its space.
    pub(super) fn hide_git_sync(&mut self, space: SpaceId) -> Result<()> {
        diesel::update(spaces::table.find(space))
            .set(spaces::git_sync.eq(None::<serde_json::Value>))
            .execute(self.connection)?;
        Ok(())
    }
}
