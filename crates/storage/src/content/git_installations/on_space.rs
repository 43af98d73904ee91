//! State of a connection in the row of its space.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Jsonb, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::git::{GitInstallationStatus, GitOperation};
use quire_domain::ids::SpaceId;
use uuid::Uuid;

use super::shown::ShownGitSync;
use crate::content::git_syncs::GitSyncRecord;
use crate::schema::spaces;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Changes of a connection that its space may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// The connection was changed, or a synchronization changed one of the sides or failed.
    Something,
    /// A synchronization found nothing to do. This is the usual case, and the time alone is not worth a write.
    Nothing,
}

sql_files! {
    ShowGitSync(SqlUuid, Jsonb, Bool) = "show.sql";
}

impl Tx<'_> {
    /// Locks the row of a space. Like in edits of the space, it is locked before the row of the connection.
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

    /// Writes the state of a connection, with a synchronization that failed before it started, to the row of its space.
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
            parent: installation.parent,
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
