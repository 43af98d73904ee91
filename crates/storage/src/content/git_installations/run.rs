//! Reads and writes of a worker that synchronizes a space.

use std::time::Duration;

use diesel::dsl;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::git::{GitDirection, GitOperation, GitOperationState, GitProvider};
use quire_domain::git_installations::{GitAgent, GitPriority, GitTrigger};
use quire_domain::ids::{ChangeRequestId, GitInstallationId, OrganizationId, SpaceId};
use quire_domain::webhooks::EventKind;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{GitAppInstallation, GitRemote};
use crate::content::git_syncs::GitBase;
use crate::diesel_types::Elements;
use crate::lookup::Credentials;
use crate::operations::webhooks::Event;
use crate::schema::{api_tokens, git_installations, git_operations, git_syncs, spaces};
use crate::system::{SystemReader, SystemTx};
use crate::transaction::Tx;
use crate::{Error, Result, parse_enum, to_timestamp};

/// Kind of the job that synchronizes a space.
pub const GIT_SYNC_JOB: &str = "sync-git";

/// Connections that one look for due ones finds.
const DUE_MAX: i64 = 100;

/// Pause between synchronizations, and after a day without changes.
const POLL: Duration = Duration::from_secs(300);
const IDLE_POLL: Duration = Duration::from_secs(3_600);
const IDLE_AFTER: Duration = Duration::from_secs(86_400);

/// Pauses after failures; then as after a success.
const RETRIES: [Duration; 3] =
    [Duration::from_secs(60), Duration::from_secs(300), Duration::from_secs(1_500)];

/// Time after which a synchronization whose node was lost counts as due again.
const LOST_AFTER: Duration = Duration::from_secs(1_800);

/// Connection and cause of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningGitInstallation {
    /// The connection.
    pub id: GitInstallationId,
    /// The cause.
    pub trigger: GitTrigger,
}

/// Connection that is synchronized.
#[derive(Clone, Debug)]
pub struct DueGitInstallation {
    /// The space.
    pub space: SpaceId,
    /// The connection, with the cause.
    pub running: RunningGitInstallation,
    /// The provider.
    pub provider: GitProvider,
    /// The repository.
    pub remote: GitRemote,
    /// Side that has priority without a common state.
    pub priority: GitPriority,
    /// Template of messages of commits.
    pub commit_message_template: Option<String>,
    /// Pull requests from other repositories have previews, too.
    pub preview_external: bool,
    /// Programs whose files with instructions exports write.
    pub agent_instructions: Vec<GitAgent>,
    /// Token that it acts with; `None` if it was revoked.
    pub credentials: Option<Credentials>,
    /// Time of the last change of a side.
    pub changed_at: Timestamp,
    /// Failures since the last success.
    pub failures: u32,
    /// Next run as of the begin. Another one was asked for in the meantime.
    next_run_at: OffsetDateTime,
}

/// End of a synchronization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GitRunEnd {
    /// Both sides are the same.
    Success,
    /// It failed, and is tried again.
    Failure,
    /// It failed, and would again until the connection is changed.
    Unauthenticated,
}

/// Entry of the log to write.
pub(crate) struct NewGitOperation<'n> {
    pub(crate) space: SpaceId,
    pub(crate) running: RunningGitInstallation,
    pub(crate) direction: GitDirection,
    pub(crate) from: Option<&'n str>,
    pub(crate) started_at: OffsetDateTime,
}

/// End of a run, for the log.
enum Outcome<'n> {
    Success { base: &'n GitBase, change_request: Option<ChangeRequestId> },
    Failure { error: &'n str },
}

sql_files! {
    RepeatFailure(SqlUuid, Text, Text, Nullable<Text>, Timestamptz, Timestamptz) = "repeat_failure.sql";
}

/// Returns the time until the next synchronization; `None` for no other.
#[must_use]
pub fn next_wait(end: GitRunEnd, failures: u32, unchanged: Duration) -> Option<Duration> {
    let poll = if unchanged >= IDLE_AFTER { IDLE_POLL } else { POLL };
    match end {
        GitRunEnd::Success => Some(poll),
        GitRunEnd::Failure => {
            let retry = usize::try_from(failures).ok().and_then(|failures| RETRIES.get(failures));
            Some(retry.copied().unwrap_or(poll))
        }
        GitRunEnd::Unauthenticated => None,
    }
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

#[derive(Queryable)]
struct DueRow {
    id: Uuid,
    provider: String,
    url: Option<String>,
    username: Option<String>,
    secret: Option<Vec<u8>>,
    app_installation_id: Option<i64>,
    organization_id: OrganizationId,
    reference: Option<String>,
    project_directory: String,
    priority: Option<String>,
    commit_message_template: Option<String>,
    preview_external: bool,
    #[diesel(deserialize_as = Elements<Vec<Option<GitAgent>>>)]
    agent_instructions: Vec<GitAgent>,
    trigger: String,
    changed_at: OffsetDateTime,
    failures: i32,
    token_hash: Option<Vec<u8>>,
}

impl SystemTx<'_> {
    /// Has the synchronization of a space run, unless it waits or runs.
    pub fn enqueue_due_git_sync(&mut self, space: SpaceId) -> Result<()> {
        self.enqueue_git_sync(space)
    }

    /// Begins the synchronization of a space. `None` if it was disconnected, or is not set up.
    pub fn begin_git_installation(&mut self, space: SpaceId) -> Result<Option<DueGitInstallation>> {
        let next_run_at = OffsetDateTime::from(self.now) + LOST_AFTER;
        git_installations::table
            .find(space)
            .for_update()
            .select(git_installations::id)
            .get_result::<Uuid>(self.connection)
            .optional()?;
        let row: Option<DueRow> = git_installations::table
            .find(space)
            .inner_join(spaces::table)
            .left_join(api_tokens::table)
            .select((
                git_installations::id,
                git_installations::provider,
                git_installations::url,
                git_installations::username,
                git_installations::secret,
                git_installations::app_installation_id,
                spaces::organization_id,
                git_installations::reference,
                git_installations::project_directory,
                git_installations::priority,
                git_installations::commit_message_template,
                git_installations::preview_external,
                git_installations::agent_instructions,
                git_installations::trigger,
                git_installations::changed_at,
                git_installations::failures,
                api_tokens::hash.nullable(),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some(row) = row else { return Ok(None) };
        let (Some(url), Some(priority)) = (row.url, row.priority.as_deref()) else { return Ok(None) };
        diesel::update(git_installations::table.find(space))
            .set((
                git_installations::next_run_at.eq(next_run_at),
                git_installations::trigger.eq(GitTrigger::Poll.as_str()),
            ))
            .execute(self.connection)?;
        let (id, organization) = (GitInstallationId::from_uuid(row.id), row.organization_id);
        let hash = row.token_hash.map(<[u8; 32]>::try_from).transpose();
        let hash = hash.map_err(|_| Error::corrupt("a hash is cut", anyhow::anyhow!("of a token")))?;
        Ok(Some(DueGitInstallation {
            space,
            running: RunningGitInstallation { id, trigger: parse_enum(&row.trigger)? },
            provider: parse_enum(&row.provider)?,
            remote: GitRemote {
                url,
                account: self.git_account(id, row.username, row.secret)?,
                app: row.app_installation_id.map(|id| GitAppInstallation { organization, id }),
                reference: row.reference,
                project_directory: row.project_directory,
            },
            priority: parse_enum(priority)?,
            commit_message_template: row.commit_message_template,
            preview_external: row.preview_external,
            agent_instructions: row.agent_instructions,
            credentials: hash.map(|token_hash| Credentials { token_hash }),
            changed_at: to_timestamp(row.changed_at)?,
            failures: u32::try_from(row.failures).unwrap_or(0),
            next_run_at,
        }))
    }

    /// Notes the end of a synchronization, and when the next one is due, unless another one was asked for meanwhile.
    pub fn end_git_installation(&mut self, due: &DueGitInstallation, end: GitRunEnd) -> Result<()> {
        let row = git_installations::table.find(due.space).filter(git_installations::id.eq(due.running.id));
        let changed_at: Option<OffsetDateTime> =
            row.select(git_installations::changed_at).get_result(self.connection).optional()?;
        let Some(changed_at) = changed_at else { return Ok(()) };
        let now = OffsetDateTime::from(self.now);
        let unchanged = Duration::try_from(now - changed_at).unwrap_or_default();
        let next = next_wait(end, due.failures, unchanged).map(|wait| now + wait);
        let failures = match end {
            GitRunEnd::Success => 0,
            GitRunEnd::Failure | GitRunEnd::Unauthenticated => due.failures.saturating_add(1),
        };
        diesel::update(row)
            .set(git_installations::failures.eq(i32::try_from(failures).unwrap_or(i32::MAX)))
            .execute(self.connection)?;
        diesel::update(row.filter(git_installations::next_run_at.eq(due.next_run_at)))
            .set(git_installations::next_run_at.eq(next))
            .execute(self.connection)?;
        Ok(())
    }

    /// Notes a failure before a run.
    pub fn fail_git_installation(
        &mut self,
        due: &DueGitInstallation,
        direction: GitDirection,
        error: &str,
    ) -> Result<()> {
        let connected =
            git_installations::table.find(due.space).filter(git_installations::id.eq(due.running.id));
        self.lock_space_of_git(due.space)?;
        if !diesel::select(dsl::exists(connected)).get_result(self.connection)? {
            return Ok(());
        }
        let started_at = OffsetDateTime::from(self.now);
        let new =
            NewGitOperation { space: due.space, running: due.running, direction, from: None, started_at };
        if self.note_git_failure(&new, error)? {
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

    /// Deletes entries of the log that are older than `age`.
    pub fn sweep_git_operations(&mut self, age: Duration) -> Result<usize> {
        let old = git_operations::ended_at.lt(OffsetDateTime::from(self.now) - age);
        Ok(diesel::delete(git_operations::table.filter(old)).execute(self.connection)?)
    }
}

impl Tx<'_> {
    /// Writes the success of a run to the log. Returns false if the space was disconnected meanwhile.
    pub(crate) fn note_git_success(
        &mut self,
        new: &NewGitOperation<'_>,
        base: &GitBase,
        change_request: Option<ChangeRequestId>,
    ) -> Result<bool> {
        let now = OffsetDateTime::from(self.now);
        let found = diesel::update(self::installation(new))
            .set(git_installations::changed_at.eq(now))
            .execute(self.connection)?;
        if found == 0 {
            return Ok(false);
        }
        self.insert_git_operation(new, &Outcome::Success { base, change_request })?;
        Ok(true)
    }

    /// Writes the failure of a run to the log: one entry for successive runs that fail alike. Returns whether it is a
    /// new one.
    pub(crate) fn note_git_failure(&mut self, new: &NewGitOperation<'_>, error: &str) -> Result<bool> {
        let exists = diesel::select(dsl::exists(self::installation(new)));
        if !exists.get_result(self.connection)? {
            return Ok(false);
        }
        // PostgreSQL stores no NUL.
        let error = error.replace('\0', "");
        let now = OffsetDateTime::from(self.now);
        let repeated = RepeatFailure::bind((
            new.space,
            new.direction.as_str(),
            error.as_str(),
            new.from,
            new.started_at,
            now,
        ));
        if repeated.execute(self.connection)? == 1 {
            return Ok(false);
        }
        self.insert_git_operation(new, &Outcome::Failure { error: &error })?;
        Ok(true)
    }

    fn insert_git_operation(&mut self, new: &NewGitOperation<'_>, outcome: &Outcome<'_>) -> Result<()> {
        let (state, base, change_request, error) = match *outcome {
            Outcome::Success { base, change_request } => ("success", Some(base), change_request, None),
            Outcome::Failure { error } => ("failure", None, None, Some(error)),
        };
        diesel::insert_into(git_operations::table)
            .values((
                git_operations::space_id.eq(new.space),
                git_operations::id.eq(self.storage.ids().uuid()),
                git_operations::direction.eq(new.direction.as_str()),
                git_operations::trigger.eq(new.running.trigger.as_str()),
                git_operations::state.eq(state),
                git_operations::from_commit.eq(new.from),
                git_operations::to_commit.eq(base.map(|base| base.commit.as_str())),
                git_operations::revision_id.eq(base.map(|base| base.revision)),
                git_operations::change_request_id.eq(change_request),
                git_operations::error.eq(error),
                git_operations::started_at.eq(new.started_at),
                git_operations::ended_at.eq(OffsetDateTime::from(self.now)),
            ))
            .execute(self.connection)?;
        Ok(())
    }

    /// Returns when the running run of a space was started.
    pub(crate) fn git_sync_started_at(&mut self, space: SpaceId) -> Result<OffsetDateTime> {
        let row = git_syncs::table.find(space).select(git_syncs::started_at);
        row.get_result(self.connection).optional()?.ok_or(Error::NotFound)
    }
}

/// The row of the connection of an entry.
#[dsl::auto_type(no_type_alias)]
fn installation<'n>(new: &NewGitOperation<'n>) -> _ {
    let (space, id): (SpaceId, GitInstallationId) = (new.space, new.running.id);
    git_installations::table
        .filter(git_installations::space_id.eq(space))
        .filter(git_installations::id.eq(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_retried_soon_and_then_with_each_poll() {
        let wait = |end, failures, hours: u64| next_wait(end, failures, Duration::from_secs(hours * 3_600));
        let minutes = |minutes: u64| Some(Duration::from_secs(minutes * 60));
        let failures: Vec<_> = (0..5).map(|failures| wait(GitRunEnd::Failure, failures, 1)).collect();
        assert_eq!(failures, [minutes(1), minutes(5), minutes(25), minutes(5), minutes(5)]);
        assert_eq!(wait(GitRunEnd::Failure, 9, 24), minutes(60));
        assert_eq!(wait(GitRunEnd::Success, 0, 23), minutes(5));
        assert_eq!(wait(GitRunEnd::Success, 0, 24), minutes(60));
        assert_eq!(wait(GitRunEnd::Unauthenticated, 0, 0), None);
    }
}
