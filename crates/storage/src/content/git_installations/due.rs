//! Due synchronizations of spaces and sites, and the pauses between them.

use std::time::Duration;

use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::git::GitProvider;
use quire_domain::git_installations::{GitPriority, GitTrigger};
use quire_domain::ids::{GitInstallationId, OrganizationId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{GitAppInstallation, GitRemote};
use crate::lookup::Credentials;
use crate::transaction::Reader;
use crate::{Error, Result, parse_enum, to_timestamp};

/// Maximum number of due connections per query.
pub(crate) const DUE_MAX: i64 = 100;

/// Time after which a synchronization whose node was lost is due again.
const LOST_AFTER: Duration = Duration::from_secs(1_800);

/// Pause between synchronizations, and the pause after a day without changes.
const POLL: Duration = Duration::from_secs(300);
const IDLE_POLL: Duration = Duration::from_secs(3_600);
const IDLE_AFTER: Duration = Duration::from_secs(86_400);

/// Pauses after the first failures. Further pauses are as after a success.
const RETRIES: [Duration; 3] =
    [Duration::from_secs(60), Duration::from_secs(300), Duration::from_secs(1_500)];

/// Outcome of a synchronization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GitRunEnd {
    /// Both sides are equal.
    Success,
    /// The run failed, and will be retried.
    Failure,
    /// The run failed, and will fail again until the connection is changed.
    Unauthenticated,
}

/// Columns of a connection that a run needs at its start, or to close a former pull request.
#[derive(Queryable)]
pub(crate) struct DueRow {
    pub(super) id: Uuid,
    pub(super) provider: String,
    pub(super) url: Option<String>,
    pub(super) username: Option<String>,
    pub(super) secret: Option<Vec<u8>>,
    pub(super) app: Option<i64>,
    pub(super) reference: Option<String>,
    project_directory: String,
    priority: Option<String>,
    commit_message_template: Option<String>,
    sign_off: bool,
    trigger: String,
    changed_at: OffsetDateTime,
    failures: i32,
    pub(super) pull_request: Option<String>,
    token_hash: Option<Vec<u8>>,
}

/// Columns of a [`DueRow`] in a table of connections.
macro_rules! due_columns {
    ($table:ident) => {
        (
            $table::id,
            $table::provider,
            $table::url,
            $table::username,
            $table::secret,
            $table::app_installation_id,
            $table::reference,
            $table::project_directory,
            $table::priority,
            $table::commit_message_template,
            $table::sign_off,
            $table::trigger,
            $table::changed_at,
            $table::failures,
            $table::pull_request,
            api_tokens::hash.nullable(),
        )
    };
}
pub(crate) use due_columns;

/// Connection and cause of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningGitInstallation {
    /// Connection.
    pub id: GitInstallationId,
    /// Cause.
    pub trigger: GitTrigger,
}

/// Connection of a space or site that is being synchronized.
#[derive(Clone, Debug)]
pub struct DueConnection {
    /// Id.
    pub id: GitInstallationId,
    /// Cause.
    pub trigger: GitTrigger,
    /// Provider.
    pub provider: GitProvider,
    /// Repository.
    pub remote: GitRemote,
    /// Side that has priority if there is no common state.
    pub priority: GitPriority,
    /// Template of commit messages.
    pub commit_message_template: Option<String>,
    /// `true` if messages of commits end with a `Signed-off-by` line.
    pub sign_off: bool,
    /// Token of the connection; `None` if it was revoked.
    pub credentials: Option<Credentials>,
    /// Time of the last change on either side.
    pub changed_at: Timestamp,
    /// Number of failures since the last success.
    pub failures: u32,
    /// URL of the pull request that commits wait in, or of the page to open it.
    pub pull_request: Option<String>,
    /// Time of the next run as set at the start. If it differs at the end, another run was requested in between.
    pub(crate) next_run_at: OffsetDateTime,
}

impl DueConnection {
    /// Returns the connection and the cause of the run.
    #[must_use]
    pub fn running(&self) -> RunningGitInstallation {
        RunningGitInstallation { id: self.id, trigger: self.trigger }
    }
}

/// State of a connection after a run.
pub(crate) struct AfterRun {
    pub(crate) failures: i32,
    /// Time of the next run; `None` until the connection is changed.
    pub(crate) next_run_at: Option<OffsetDateTime>,
}

impl Reader<'_> {
    /// Reads a connection with the credentials for its repository. Returns `None` if it is not set up.
    pub(crate) fn due_connection(
        &mut self,
        row: DueRow,
        organization: OrganizationId,
    ) -> Result<Option<DueConnection>> {
        let (Some(url), Some(priority)) = (row.url, row.priority.as_deref()) else { return Ok(None) };
        let id = GitInstallationId::from_uuid(row.id);
        let hash = row.token_hash.map(<[u8; 32]>::try_from).transpose();
        let hash = hash.map_err(|_| Error::corrupt("a hash is cut", anyhow::anyhow!("of a token")))?;
        Ok(Some(DueConnection {
            id,
            trigger: parse_enum(&row.trigger)?,
            provider: parse_enum(&row.provider)?,
            remote: GitRemote {
                url,
                account: self.git_account(id, row.username, row.secret)?,
                app: row.app.map(|id| GitAppInstallation { organization, id }),
                reference: row.reference,
                project_directory: row.project_directory,
            },
            priority: parse_enum(priority)?,
            commit_message_template: row.commit_message_template,
            sign_off: row.sign_off,
            credentials: hash.map(|token_hash| Credentials { token_hash }),
            changed_at: to_timestamp(row.changed_at)?,
            failures: u32::try_from(row.failures).unwrap_or(0),
            pull_request: row.pull_request,
            next_run_at: OffsetDateTime::from(self.now()) + LOST_AFTER,
        }))
    }
}

/// Returns the state of a connection after a run. `failures` are those before the run.
pub(crate) fn after_run(
    end: GitRunEnd,
    failures: u32,
    (changed_at, now): (OffsetDateTime, OffsetDateTime),
) -> AfterRun {
    let unchanged = Duration::try_from(now - changed_at).unwrap_or_default();
    let next_run_at = next_wait(end, failures, unchanged).map(|wait| now + wait);
    let failures = match end {
        GitRunEnd::Success => 0,
        GitRunEnd::Failure | GitRunEnd::Unauthenticated => failures.saturating_add(1),
    };
    AfterRun { failures: i32::try_from(failures).unwrap_or(i32::MAX), next_run_at }
}

/// Returns the time until the next synchronization; `None` if no further one is due.
fn next_wait(end: GitRunEnd, failures: u32, unchanged: Duration) -> Option<Duration> {
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
