//! Reads and writes of the worker that synchronizes a site.

use std::time::Duration;

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::git::{GitDirection, GitInstallationStatus, GitOperation, GitOperationState};
use quire_domain::git_installations::{GitPriority, GitTrigger};
use quire_domain::ids::{GitInstallationId, OrganizationId, SiteId, SpaceId};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Directories, SiteKey};
use crate::content::git_installations::{
    DUE_MAX, DueConnection, DueRow, GitInstallationRecord, GitLogEntry, GitRunEnd, ShownGitSync, after_run,
    due_columns,
};
use crate::schema::{api_tokens, git_installations, site_git_installations, site_git_operations};
use crate::system::{SystemReader, SystemTx};
use crate::transaction::Tx;
use crate::{Error, Result, to_timestamp};

/// Kind of the job that synchronizes a site.
pub const SITE_GIT_JOB: &str = "sync-git-site";

/// Maximum number of spaces that one job disconnects.
const CHILDREN_MAX: i64 = 1_000;

/// Maximum number of characters of the notes of a run.
const NOTES_MAX: usize = 2_000;

/// Input of a job.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SiteGitJob {
    /// Synchronizes a site.
    Synchronize {
        /// Organization of the site.
        organization: OrganizationId,
        /// Site.
        site: SiteId,
    },
    /// Disconnects the spaces of a deleted connection.
    Disconnect {
        /// Connection.
        ended: GitInstallationId,
    },
}

/// Connection of a site that is being synchronized.
#[derive(Clone, Debug)]
pub struct DueSiteGit {
    /// Organization of the site.
    pub organization: OrganizationId,
    /// Site.
    pub site: SiteId,
    /// Connection. Its priority is that of the side which determines the structure.
    pub connection: DueConnection,
    /// Folders of spaces, if the site determines them.
    pub directories: Directories,
    /// Commit that was read last.
    pub commit: Option<String>,
    /// Object id of the site file that was applied last.
    pub file: Option<String>,
    pub(super) started_at: OffsetDateTime,
}

impl DueSiteGit {
    /// Returns the start of the run, in seconds since the Unix epoch.
    #[must_use]
    pub fn started_seconds(&self) -> i64 {
        self.started_at.unix_timestamp()
    }

    /// Returns the direction for the log.
    #[must_use]
    pub fn direction(&self) -> GitDirection {
        self.connection.priority.direction()
    }

    /// Returns the log entry of a success without a new commit.
    pub(super) fn log_entry(&self, direction: GitDirection) -> GitLogEntry<'_> {
        GitLogEntry {
            from_commit: self.commit.as_deref(),
            ..GitLogEntry::new(direction, self.connection.trigger, self.started_at)
        }
    }
}

/// Commit and site file that were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteGitReading {
    /// Commit.
    pub commit: Option<String>,
    /// Object id of the file.
    pub file: Option<String>,
}

/// Changes made by a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteGitChange {
    /// Messages for users.
    pub notes: Vec<String>,
    /// `true` if something was changed.
    pub is_changed: bool,
    /// `true` to also synchronize the spaces that are already connected.
    pub looks: bool,
}

/// Returns the state of a connection in the form that its site shows.
pub(super) fn shown(
    item: &GitInstallationRecord,
    status: GitInstallationStatus,
    operation: Option<GitOperation>,
    updated_at: Timestamp,
) -> ShownGitSync {
    ShownGitSync {
        installation: item.id,
        parent: None,
        provider: item.provider,
        url: item.url.clone(),
        reference: item.reference.clone(),
        project_directory: item.project_directory.clone(),
        status,
        operation,
        updated_at,
    }
}

impl SystemReader<'_> {
    /// Returns sites whose synchronization is due.
    pub fn due_site_git(&mut self) -> Result<Vec<SiteKey>> {
        let now = OffsetDateTime::from(self.now());
        let due: Vec<(Uuid, Uuid)> = site_git_installations::table
            .filter(site_git_installations::next_run_at.le(now))
            .order(site_git_installations::next_run_at)
            .limit(DUE_MAX)
            .select((site_git_installations::organization_id, site_git_installations::site_id))
            .load(self.connection)?;
        Ok(due.into_iter().map(|(owner, site)| (owner.into(), site.into())).collect())
    }
}

/// Columns of a site's connection that a space's connection does not have, or has with another type.
#[derive(Queryable)]
struct OfSite {
    directories: Option<serde_json::Value>,
    commit: Option<String>,
    file: Option<String>,
}

impl SystemTx<'_> {
    /// Enqueues the synchronization of a site, unless it is already queued or running.
    pub fn enqueue_due_site_git(&mut self, key: SiteKey) -> Result<()> {
        self.enqueue_site_git(key)
    }

    /// Starts the synchronization of a site. Returns `None` if it is not connected, or is not set up.
    pub fn begin_site_git(&mut self, key: SiteKey) -> Result<Option<DueSiteGit>> {
        site_git_installations::table
            .find(key)
            .for_update()
            .select(site_git_installations::id)
            .get_result::<Uuid>(self.connection)
            .optional()?;
        let row: Option<(DueRow, OfSite)> = site_git_installations::table
            .find(key)
            .left_join(api_tokens::table)
            .select((
                due_columns!(site_git_installations),
                (
                    site_git_installations::directories,
                    site_git_installations::commit_id,
                    site_git_installations::file_id,
                ),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((row, OfSite { directories, commit, file })) = row else { return Ok(None) };
        let Some(connection) = self.due_connection(row, key.0)? else { return Ok(None) };
        diesel::update(site_git_installations::table.find(key))
            .set((
                site_git_installations::next_run_at.eq(connection.next_run_at),
                site_git_installations::trigger.eq(GitTrigger::Poll.as_str()),
            ))
            .execute(self.connection)?;
        let directories = directories.map(serde_json::from_value).transpose();
        let directories: Option<Directories> = directories
            .map_err(|error| Error::corrupt("folders of spaces are damaged", anyhow::Error::from(error)))?;
        Ok(Some(DueSiteGit {
            organization: key.0,
            site: key.1,
            connection,
            directories: directories.unwrap_or_default(),
            commit,
            file,
            started_at: OffsetDateTime::from(self.now),
        }))
    }

    /// Records the failure of a synchronization and the time of the next one. Successive runs with the same failure
    /// have one entry.
    pub fn fail_site_git(&mut self, due: &DueSiteGit, end: GitRunEnd, error: &str) -> Result<()> {
        let key = (due.organization, due.site);
        let Some(item) = self.keep_site_git(due)? else { return Ok(()) };
        // PostgreSQL stores no NUL.
        let error = error.replace('\0', "");
        let last: Option<(Uuid, Option<String>, i32)> = site_git_operations::table
            .filter(site_git_operations::organization_id.eq(due.organization))
            .filter(site_git_operations::site_id.eq(due.site))
            .order(site_git_operations::id.desc())
            .select((site_git_operations::id, site_git_operations::error, site_git_operations::attempts))
            .first(self.connection)
            .optional()?;
        let now = OffsetDateTime::from(self.now);
        match last.filter(|(_, last, _)| last.as_deref() == Some(error.as_str())) {
            Some((id, _, attempts)) => {
                diesel::update(site_git_operations::table.find((due.organization, due.site, id)))
                    .set((
                        site_git_operations::attempts.eq(attempts.saturating_add(1)),
                        site_git_operations::started_at.eq(due.started_at),
                        site_git_operations::ended_at.eq(now),
                    ))
                    .execute(self.connection)?;
            }
            None => {
                let entry = GitLogEntry { error: Some(&error), ..due.log_entry(due.direction()) };
                self.log_site_git(key, &entry)?;
            }
        }
        let status = match end {
            GitRunEnd::Unauthenticated => GitInstallationStatus::Unauthenticated,
            _ => self.read_shown_site_git(key)?.map_or(GitInstallationStatus::Pending, |shown| shown.status),
        };
        let operation = self.ended_site_git(due, GitOperationState::Failure, Some(error))?;
        let shown = shown(&item, status, Some(operation), self.now);
        self.show_site_git(key, &shown)?;
        self.end_site_git(due, end)
    }

    /// Records the end of a synchronization and the time of the next one.
    pub fn end_site_git(&mut self, due: &DueSiteGit, end: GitRunEnd) -> Result<()> {
        let row = site_git_installations::table
            .find((due.organization, due.site))
            .filter(site_git_installations::id.eq(due.connection.id));
        let now = OffsetDateTime::from(self.now);
        let after = after_run(end, due.connection.failures, (due.connection.changed_at.into(), now));
        // If the site has priority, no file determines the structure, so no file can change it.
        let is_over = due.connection.priority == GitPriority::Gitbook && end == GitRunEnd::Success;
        let next = after.next_run_at.filter(|_| !is_over);
        diesel::update(row)
            .set(site_git_installations::failures.eq(after.failures))
            .execute(self.connection)?;
        diesel::update(row.filter(site_git_installations::next_run_at.eq(due.connection.next_run_at)))
            .set(site_git_installations::next_run_at.eq(next))
            .execute(self.connection)?;
        Ok(())
    }

    /// Disconnects the spaces of a deleted connection.
    pub fn disconnect_site_git_spaces(&mut self, ended: GitInstallationId) -> Result<()> {
        let is_there = site_git_installations::table.filter(site_git_installations::id.eq(ended));
        if diesel::select(dsl::exists(is_there)).get_result(self.connection)? {
            return Ok(());
        }
        let spaces: Vec<Uuid> = git_installations::table
            .filter(git_installations::parent_id.eq(ended))
            .order(git_installations::space_id)
            .limit(CHILDREN_MAX)
            .select(git_installations::space_id)
            .load(self.connection)?;
        spaces.into_iter().try_for_each(|space| {
            self.remove_git_installation(SpaceId::from_uuid(space))?;
            Ok(())
        })
    }

    /// Deletes log entries of sites that are older than `age`.
    pub fn sweep_site_git_operations(&mut self, age: Duration) -> Result<usize> {
        let old = site_git_operations::ended_at.lt(OffsetDateTime::from(self.now) - age);
        Ok(diesel::delete(site_git_operations::table.filter(old)).execute(self.connection)?)
    }
}

impl Tx<'_> {
    /// Records a successful synchronization, and logs it if it changed something.
    pub(super) fn succeed_site_git(
        &mut self,
        due: &DueSiteGit,
        read: &SiteGitReading,
        change: &SiteGitChange,
    ) -> Result<()> {
        let key = (due.organization, due.site);
        let item = self.keep_site_git(due)?.ok_or(Error::NotFound)?;
        let is_news = change.is_changed || !change.notes.is_empty();
        let before = self.read_shown_site_git(key)?;
        let is_repaired =
            before.as_ref().is_none_or(|before| before.operation.is_none() || before.has_failed());
        let changed_at = is_news.then_some(site_git_installations::changed_at.eq(self.now));
        diesel::update(site_git_installations::table.find(key))
            .set((
                site_git_installations::commit_id.eq(&read.commit),
                site_git_installations::file_id.eq(&read.file),
                changed_at,
            ))
            .execute(self.connection)?;
        if is_news {
            let notes: String = change.notes.join(" ").replace('\0', "").chars().take(NOTES_MAX).collect();
            let notes = Some(notes.as_str()).filter(|notes| !notes.is_empty());
            let to_commit = read.commit.as_deref();
            let entry = GitLogEntry { to_commit, notes, ..due.log_entry(due.direction()) };
            self.log_site_git(key, &entry)?;
        }
        if is_news
            || is_repaired
            || before.is_some_and(|before| before.status != GitInstallationStatus::Active)
        {
            let operation = self.ended_site_git(due, GitOperationState::Success, None)?;
            let shown = shown(&item, GitInstallationStatus::Active, Some(operation), self.now);
            self.show_site_git(key, &shown)?;
        }
        Ok(())
    }

    /// Locks the connection of a run. Returns `None` if it was deleted.
    pub(super) fn keep_site_git(&mut self, due: &DueSiteGit) -> Result<Option<GitInstallationRecord>> {
        let key = (due.organization, due.site);
        match self.lock_site_of_git(key) {
            Err(Error::NotFound) => return Ok(None),
            locked => locked?,
        }
        Ok(self.read_site_git(key)?.filter(|item| item.id == due.connection.id))
    }

    pub(super) fn ended_site_git(
        &self,
        due: &DueSiteGit,
        state: GitOperationState,
        error: Option<String>,
    ) -> Result<GitOperation> {
        Ok(GitOperation {
            state,
            direction: due.direction(),
            started_at: to_timestamp(due.started_at)?,
            ended_at: Some(self.now),
            error,
            error_action: None,
        })
    }
}
