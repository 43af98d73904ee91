//! Reads and writes of the worker that synchronizes a space.

use std::time::Duration;

use diesel::dsl;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::git::{GitDirection, GitOperation, GitOperationState};
use quire_domain::git_installations::{GitAgent, GitAuthority, GitTrigger};
use quire_domain::ids::{ChangeRequestId, GitInstallationId, OrganizationId, SpaceId};
use quire_domain::webhooks::EventKind;
use time::OffsetDateTime;
use uuid::Uuid;

use super::due::{DUE_MAX, DueConnection, DueRow, GitRunEnd, after_run, due_columns};
use super::log::GitLogEntry;
use crate::content::git_syncs::GitBase;
use crate::diesel_types::Elements;
use crate::operations::webhooks::Event;
use crate::schema::{api_tokens, git_installations, git_operations, git_syncs, spaces};
use crate::system::{SystemReader, SystemTx};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Kind of the job that synchronizes a space.
pub const GIT_SYNC_JOB: &str = "sync-git";

/// Connection that is being synchronized.
#[derive(Clone, Debug)]
pub struct DueGitInstallation {
    /// Space.
    pub space: SpaceId,
    /// Connection.
    pub connection: DueConnection,
    /// Side whose version of a page stays when changes of both sides conflict.
    pub authority: GitAuthority,
    /// `true` to also preview pull requests from other repositories.
    pub preview_external: bool,
    /// Agents for which exports write instruction files.
    pub agent_instructions: Vec<GitAgent>,
    /// Connection of the site that manages this connection.
    pub parent: Option<GitInstallationId>,
}

sql_files! {
    RepeatFailure(SqlUuid, Text, Text, Nullable<Text>, Timestamptz, Timestamptz) = "repeat_failure.sql";
}

impl SystemReader<'_> {
    /// Returns spaces whose synchronization is due.
    pub fn due_git_installations(&mut self) -> Result<Vec<SpaceId>> {
        let now = OffsetDateTime::from(self.now());
        let due: Vec<Uuid> = git_installations::table
            .filter(git_installations::next_run_at.le(now))
            .order(git_installations::next_run_at)
            .limit(DUE_MAX)
            .select(git_installations::space_id)
            .load(self.connection)?;
        Ok(due.into_iter().map(SpaceId::from_uuid).collect())
    }
}

/// Columns of a space's connection that a site's connection does not have, or has in another table.
#[derive(Queryable)]
struct OfSpace {
    organization: OrganizationId,
    authority: GitAuthority,
    preview_external: bool,
    #[diesel(deserialize_as = Elements<Vec<Option<GitAgent>>>)]
    agent_instructions: Vec<GitAgent>,
    parent: Option<GitInstallationId>,
}

impl SystemTx<'_> {
    /// Enqueues the synchronization of a space, unless it is already queued or running.
    pub fn enqueue_due_git_sync(&mut self, space: SpaceId) -> Result<()> {
        self.enqueue_git_sync(space)
    }

    /// Starts the synchronization of a space. Returns `None` if it is not connected, or is not set up.
    pub fn begin_git_installation(&mut self, space: SpaceId) -> Result<Option<DueGitInstallation>> {
        git_installations::table
            .find(space)
            .for_update()
            .select(git_installations::id)
            .get_result::<Uuid>(self.connection)
            .optional()?;
        let row: Option<(DueRow, OfSpace)> = git_installations::table
            .find(space)
            .inner_join(spaces::table)
            .left_join(api_tokens::table)
            .select((
                due_columns!(git_installations),
                (
                    spaces::organization_id,
                    git_installations::authority,
                    git_installations::preview_external,
                    git_installations::agent_instructions,
                    git_installations::parent_id,
                ),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((row, of_space)) = row else { return Ok(None) };
        let Some(connection) = self.due_connection(row, of_space.organization)? else { return Ok(None) };
        diesel::update(git_installations::table.find(space))
            .set((
                git_installations::next_run_at.eq(connection.next_run_at),
                git_installations::trigger.eq(GitTrigger::Poll.as_str()),
            ))
            .execute(self.connection)?;
        Ok(Some(DueGitInstallation {
            space,
            connection,
            authority: of_space.authority,
            preview_external: of_space.preview_external,
            agent_instructions: of_space.agent_instructions,
            parent: of_space.parent,
        }))
    }

    /// Records the end of a synchronization, and the time of the next one unless another one was requested in between.
    pub fn end_git_installation(&mut self, due: &DueGitInstallation, end: GitRunEnd) -> Result<()> {
        let row =
            git_installations::table.find(due.space).filter(git_installations::id.eq(due.connection.id));
        let changed_at: Option<OffsetDateTime> =
            row.select(git_installations::changed_at).get_result(self.connection).optional()?;
        let Some(changed_at) = changed_at else { return Ok(()) };
        let now = OffsetDateTime::from(self.now);
        let after = after_run(end, due.connection.failures, (changed_at, now));
        diesel::update(row).set(git_installations::failures.eq(after.failures)).execute(self.connection)?;
        diesel::update(row.filter(git_installations::next_run_at.eq(due.connection.next_run_at)))
            .set(git_installations::next_run_at.eq(after.next_run_at))
            .execute(self.connection)?;
        Ok(())
    }

    /// Records a failure before the start of a run.
    pub fn fail_git_installation(
        &mut self,
        due: &DueGitInstallation,
        direction: GitDirection,
        error: &str,
    ) -> Result<()> {
        let connected =
            git_installations::table.find(due.space).filter(git_installations::id.eq(due.connection.id));
        self.lock_space_of_git(due.space)?;
        if !diesel::select(dsl::exists(connected)).get_result(self.connection)? {
            return Ok(());
        }
        let entry = GitLogEntry::new(direction, due.connection.trigger, self.now.into());
        if self.note_git_failure((due.space, due.connection.id), entry, error)? {
            let completed = Event::in_space(EventKind::SpaceGitSyncCompleted, due.space)
                .with("direction", direction.as_str())
                .with("state", "failure");
            self.emit_in_space(completed)?;
        }
        let failure = GitOperation {
            state: GitOperationState::Failure,
            direction,
            started_at: self.now,
            ended_at: Some(self.now),
            error: Some(error.to_owned()),
            error_action: None,
        };
        self.show_git_failure(due.space, failure)
    }

    /// Deletes log entries that are older than `age`.
    pub fn sweep_git_operations(&mut self, age: Duration) -> Result<usize> {
        let old = git_operations::ended_at.lt(OffsetDateTime::from(self.now) - age);
        Ok(diesel::delete(git_operations::table.filter(old)).execute(self.connection)?)
    }
}

impl Tx<'_> {
    /// Logs the success of a run. Returns whether the space is still connected.
    pub(crate) fn note_git_success(
        &mut self,
        (space, id): (SpaceId, GitInstallationId),
        entry: GitLogEntry<'_>,
        base: &GitBase,
        change_request: Option<ChangeRequestId>,
    ) -> Result<bool> {
        let now = OffsetDateTime::from(self.now);
        let found = diesel::update(git_installations::table.find(space).filter(git_installations::id.eq(id)))
            .set(git_installations::changed_at.eq(now))
            .execute(self.connection)?;
        if found == 0 {
            return Ok(false);
        }
        let entry = GitLogEntry { to_commit: Some(&base.commit), ..entry };
        self.log_space_git(space, &entry, (Some(base.revision), change_request))?;
        Ok(true)
    }

    /// Logs the failure of a run. Successive runs with the same failure have one entry. Returns whether it is a new
    /// one.
    pub(crate) fn note_git_failure(
        &mut self,
        (space, id): (SpaceId, GitInstallationId),
        entry: GitLogEntry<'_>,
        error: &str,
    ) -> Result<bool> {
        let installation = git_installations::table.find(space).filter(git_installations::id.eq(id));
        let exists = diesel::select(dsl::exists(installation));
        if !exists.get_result(self.connection)? {
            return Ok(false);
        }
        // PostgreSQL stores no NUL.
        let error = error.replace('\0', "");
        let now = OffsetDateTime::from(self.now);
        let repeated = RepeatFailure::bind((
            space,
            entry.direction.as_str(),
            error.as_str(),
            entry.from_commit,
            entry.started_at,
            now,
        ));
        if repeated.execute(self.connection)? == 1 {
            return Ok(false);
        }
        self.log_space_git(space, &GitLogEntry { error: Some(&error), ..entry }, (None, None))?;
        Ok(true)
    }

    /// Returns the start time of the current run of a space.
    pub(crate) fn git_sync_started_at(&mut self, space: SpaceId) -> Result<OffsetDateTime> {
        let row = git_syncs::table.find(space).select(git_syncs::started_at);
        row.get_result(self.connection).optional()?.ok_or(Error::NotFound)
    }
}
