//! Imports from and exports to Git repositories: the last run of each space, and the last common state of both sides.
//!
//! A run executes on the node that received its request and holds the credentials in memory. A run whose node is lost
//! ends with its time limit.

use std::time::Duration;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::git::{GitDirection, GitInstallationStatus, GitOperation, GitOperationState, GitProvider};
use quire_domain::git_installations::GitTrigger;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId};
use quire_domain::webhooks::EventKind;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::content::change_requests::InSpace;
use crate::content::git_installations::{
    GitInstallationRecord, GitLogEntry, GitRemote, News, RunningGitInstallation,
};
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::operations::webhooks::Event;
use crate::schema::{git_installations, git_syncs};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Run to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGitSync {
    /// Direction.
    pub direction: GitDirection,
    /// URL of the repository, without credentials.
    pub url: String,
    /// Full name of the branch or tag; `None` for the branch of HEAD.
    pub reference: Option<String>,
    /// Folder of the content in the repository; empty for the whole repository.
    pub project_directory: String,
    /// Provider of the repository.
    pub provider: GitProvider,
    /// URL of the page that shows the files.
    pub tree_url: Option<String>,
    /// Time after which the run counts as lost.
    pub time_limit: Duration,
    /// `true` for an import that does not change the content.
    pub is_standalone: bool,
    /// Connection that is synchronized; `None` for a run by request.
    pub installation: Option<RunningGitInstallation>,
}

/// Last common state of the content and a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitBase {
    /// Object id of the commit.
    pub commit: String,
    /// Revision.
    pub revision: RevisionId,
}

/// Started run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartedGitSync {
    /// Space.
    pub space: SpaceId,
    /// Last common state of both sides.
    pub base: Option<GitBase>,
    /// Revision of the last common state. A connection keeps it when it gets another branch, folder or repository, with
    /// which it has no common state yet.
    pub last: Option<RevisionId>,
    direction: GitDirection,
    pub(crate) installation: Option<RunningGitInstallation>,
    run: Uuid,
}

/// Last run of a space.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = git_syncs, check_for_backend(Pg))]
pub struct GitSyncRecord {
    /// Space.
    #[diesel(column_name = space_id)]
    pub space: SpaceId,
    /// Direction.
    pub direction: GitDirection,
    /// State.
    pub state: GitOperationState,
    /// URL of the repository, without credentials.
    pub url: String,
    /// Full name of the branch or tag; `None` for the branch of HEAD.
    pub reference: Option<String>,
    /// Last commit that matched the content.
    #[diesel(column_name = commit_id)]
    pub commit: Option<String>,
    /// Provider of the repository.
    pub provider: GitProvider,
    /// URL of the page that shows the files.
    pub tree_url: Option<String>,
    /// Reason of a failure.
    pub error: Option<String>,
    /// `true` if the server did not accept the credentials.
    pub unauthenticated: bool,
    /// Start time.
    pub started_at: Timestamp,
    /// Time after which a running run counts as lost.
    pub expires_at: Timestamp,
    /// End time.
    pub ended_at: Option<Timestamp>,
}

sql_files! {
    StartGitSync(
        SqlUuid,
        SqlUuid,
        Text,
        Text,
        Nullable<Text>,
        Text,
        Text,
        Nullable<Text>,
        Timestamptz,
        Timestamptz,
        Bool,
        Bool,
    ) -> (Nullable<Text>, Nullable<SqlUuid>) = "start.sql";
}

impl GitSyncRecord {
    /// Returns the state of the access to the repository.
    #[must_use]
    pub fn status(&self) -> GitInstallationStatus {
        match (self.state, self.unauthenticated) {
            (_, true) => GitInstallationStatus::Unauthenticated,
            (GitOperationState::Success, false) => GitInstallationStatus::Active,
            (_, false) => GitInstallationStatus::Pending,
        }
    }

    /// Returns the run in the form of responses, without the page for a failure.
    #[must_use]
    pub fn into_operation(self) -> GitOperation {
        GitOperation {
            state: self.state,
            direction: self.direction,
            started_at: self.started_at,
            ended_at: self.ended_at,
            error: self.error,
            error_action: None,
        }
    }
}

impl Reader<'_> {
    /// Returns the last run of a space; `None` if there was none. A running run past its time limit is returned as
    /// timed out.
    pub fn git_sync(&mut self, space: &Authorized<SpaceRecord>) -> Result<Option<GitSyncRecord>> {
        self.read_git_sync(space.id)
    }

    /// Returns the last run of a connection; `None` if there was none.
    pub fn last_git_sync(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
    ) -> Result<Option<GitSyncRecord>> {
        self.read_git_sync(installation.space.id)
    }

    pub(crate) fn read_git_sync(&mut self, space: SpaceId) -> Result<Option<GitSyncRecord>> {
        let record: Option<GitSyncRecord> = git_syncs::table
            .find(space)
            .select(GitSyncRecord::as_select())
            .get_result(self.connection)
            .optional()?;
        let Some(mut record) = record else { return Ok(None) };
        if record.state == GitOperationState::Running && record.expires_at <= self.now() {
            record.state = GitOperationState::Timeout;
            record.ended_at = Some(record.expires_at);
        }
        Ok(Some(record))
    }

    /// Returns the last common state of a space and a branch. Takes one statement.
    pub fn git_base(
        &mut self,
        space: &Authorized<SpaceRecord>,
        remote: &GitRemote,
    ) -> Result<Option<GitBase>> {
        let row: Option<(Option<String>, Option<Uuid>)> = git_syncs::table
            .find(space.id)
            .filter(git_syncs::url.eq(&remote.url))
            .filter(git_syncs::project_directory.eq(&remote.project_directory))
            .filter(git_syncs::reference.is_not_distinct_from(&remote.reference))
            .select((git_syncs::commit_id, git_syncs::revision_id))
            .get_result(self.connection)
            .optional()?;
        let base = row.and_then(|(commit, revision)| commit.zip(revision));
        Ok(base.map(|(commit, revision)| GitBase { commit, revision: RevisionId::from_uuid(revision) }))
    }

    /// Returns whether a run is still the current, running one.
    pub fn is_running_git_sync(&mut self, sync: &StartedGitSync) -> Result<bool> {
        let row = git_syncs::table
            .find(sync.space)
            .filter(git_syncs::run.eq(sync.run))
            .filter(git_syncs::state.eq("running"));
        Ok(diesel::select(dsl::exists(row)).get_result(self.connection)?)
    }
}

impl Tx<'_> {
    /// Starts a run.
    ///
    /// # Errors
    /// [`Reason::GitSyncRunning`] if another run of the space is active; [`Reason::GitConnected`] for a requested run
    /// if the space is connected to a repository.
    pub fn start_git_sync(
        &mut self,
        space: &Authorized<SpaceRecord>,
        new: NewGitSync,
    ) -> Result<StartedGitSync> {
        let connected: bool = diesel::select(dsl::exists(
            git_installations::table.find(space.id).filter(git_installations::url.is_not_null()),
        ))
        .get_result(self.connection)?;
        if connected && new.installation.is_none() {
            let message = "The space is synchronized with a Git repository. Disconnect it first.";
            return Err(Error::refused(Reason::GitConnected, message));
        }
        let run = self.storage.ids().uuid();
        let limit = i64::try_from(new.time_limit.as_millis()).unwrap_or(i64::MAX);
        let expires_at = Timestamp::from_millis(self.now().millis().saturating_add(limit));
        let started: Option<(Option<String>, Option<Uuid>)> = StartGitSync::bind((
            space.id,
            run,
            new.direction.as_str(),
            new.url.as_str(),
            new.reference.as_deref(),
            new.project_directory.as_str(),
            new.provider.as_str(),
            new.tree_url.as_deref(),
            self.now,
            OffsetDateTime::from(expires_at.unwrap_or(self.now())),
            new.installation.is_some(),
            new.is_standalone,
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((commit, revision)) = started else {
            return Err(Error::refused(Reason::GitSyncRunning, Reason::GitSyncRunning.message()));
        };
        let last = revision.map(RevisionId::from_uuid);
        let base = commit.zip(last).map(|(commit, revision)| GitBase { commit, revision });
        let NewGitSync { direction, installation, .. } = new;
        let is_poll = installation.is_some_and(|running| running.trigger == GitTrigger::Poll);
        if !is_poll || direction == GitDirection::Export {
            let started = Event::in_space(EventKind::SpaceGitSyncStarted, space.id)
                .with("direction", direction.as_str())
                .with("revisionId", space.head)
                .with_some("commitId", base.as_ref().map(|base| base.commit.as_str()));
            self.emit(space.organization, started)?;
        }
        Ok(StartedGitSync { space: space.id, base, last, direction, installation, run })
    }

    /// Ends a run successfully. Returns `false` if the run was replaced by a newer one; the transaction must then be
    /// rolled back. The run itself is the permission: only [`Tx::start_git_sync`] creates one.
    pub fn succeed_git_sync(
        &mut self,
        sync: &StartedGitSync,
        base: Option<&GitBase>,
        change_request: Option<ChangeRequestId>,
    ) -> Result<bool> {
        if sync.installation.is_some() {
            self.lock_space_of_git(sync.space)?;
            self.forget_connected_head(sync.space);
        }
        let row = git_syncs::table
            .find(sync.space)
            .filter(git_syncs::run.eq(sync.run))
            .filter(git_syncs::state.eq("running"));
        let ended = diesel::update(row)
            .set((
                git_syncs::state.eq("success"),
                git_syncs::ended_at.eq(self.now),
                base.map(|base| git_syncs::commit_id.eq(base.commit.as_str())),
                base.map(|base| git_syncs::revision_id.eq(base.revision)),
            ))
            .execute(self.connection)?;
        if ended == 0 {
            return Ok(false);
        }
        let from = sync.base.as_ref().map(|base| base.commit.as_str());
        let change = base.filter(|base| from != Some(base.commit.as_str()));
        if let Some(base) = change {
            let completed = completed(sync, "success")
                .with("revisionId", base.revision)
                .with("commitId", base.commit.as_str());
            self.emit_in_space(completed)?;
        }
        let Some(running) = sync.installation else { return Ok(true) };
        if let Some(base) = change {
            let entry = self.git_log_entry(sync, running.trigger)?;
            if !self.note_git_success((sync.space, running.id), entry, base, change_request)? {
                return Ok(false);
            }
        }
        self.show_git_sync(sync.space, if change.is_some() { News::Something } else { News::Nothing })?;
        Ok(true)
    }

    /// Ends an import that did not change the content. Returns `false` as [`Tx::succeed_git_sync`] does.
    pub fn succeed_standalone_git_sync(
        &mut self,
        sync: &StartedGitSync,
        standalone: &GitBase,
    ) -> Result<bool> {
        if !self.succeed_git_sync(sync, None, None)? {
            return Ok(false);
        }
        let completed = completed(sync, "success")
            .with("revisionId", standalone.revision)
            .with("commitId", standalone.commit.as_str());
        self.emit_in_space(completed)?;
        Ok(true)
    }

    fn git_log_entry<'n>(
        &mut self,
        sync: &'n StartedGitSync,
        trigger: GitTrigger,
    ) -> Result<GitLogEntry<'n>> {
        let started_at = self.git_sync_started_at(sync.space)?;
        let from_commit = sync.base.as_ref().map(|base| base.commit.as_str());
        Ok(GitLogEntry { from_commit, ..GitLogEntry::new(sync.direction, trigger, started_at) })
    }

    /// Ends a run with the reason of its failure, unless it was replaced by a newer one.
    pub fn fail_git_sync(&mut self, sync: &StartedGitSync, error: &str, unauthenticated: bool) -> Result<()> {
        if sync.installation.is_some() {
            self.lock_space_of_git(sync.space)?;
        }
        let row = git_syncs::table
            .find(sync.space)
            .filter(git_syncs::run.eq(sync.run))
            .filter(git_syncs::state.eq("running"));
        let ended = diesel::update(row)
            .set((
                git_syncs::state.eq("failure"),
                git_syncs::ended_at.eq(self.now),
                // PostgreSQL stores no NUL.
                git_syncs::error.eq(error.replace('\0', "")),
                git_syncs::unauthenticated.eq(unauthenticated),
            ))
            .execute(self.connection)?;
        if ended == 0 {
            return Ok(());
        }
        let is_new = match sync.installation {
            None => true,
            Some(running) => {
                let entry = self.git_log_entry(sync, running.trigger)?;
                let is_new = self.note_git_failure((sync.space, running.id), entry, error)?;
                self.show_git_sync(sync.space, News::Something)?;
                is_new
            }
        };
        if is_new { self.emit_in_space(completed(sync, "failure")) } else { Ok(()) }
    }
}

/// Returns the event for the end of a run.
fn completed(sync: &StartedGitSync, state: &str) -> Event {
    Event::in_space(EventKind::SpaceGitSyncCompleted, sync.space)
        .with("direction", sync.direction.as_str())
        .with("state", state)
}
