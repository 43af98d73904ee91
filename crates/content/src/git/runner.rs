//! Runs of a node, within its limits.

use std::sync::Arc;
use std::time::Duration;

use quire_domain::error::{Failure, Reason, Refusal};
use quire_domain::git::GitDirection;
use quire_git::{GitError, Limits};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::run::{GitRun, NewExport, RunError, RunResult};
use super::{export, import};
use crate::door::Door;
use crate::error::{Error, Result};
use crate::imports::ImportRunner;

/// Runs at the same time.
const RUNNING: usize = 2;

/// Runs that run or wait.
const WAITING: usize = 32;

/// Time of a run, from the request on: a run may wait for those before it, and store many pages.
const TIME_LIMIT: Duration = Duration::from_secs(1_800);

/// First and longest pause between two looks for the commit of a run's start.
const COMMIT_POLL: Duration = Duration::from_millis(5);
const COMMIT_POLL_MAX: Duration = Duration::from_secs(5);

/// Most characters of the reason of a failure.
const REASON_MAX: usize = 1_000;

/// Runs imports from and exports to Git repositories.
#[derive(Clone, Debug)]
pub struct GitRunner {
    imports: ImportRunner,
    limits: Limits,
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl GitRunner {
    /// Returns a runner that stores imports as other imports of the node are stored.
    #[must_use]
    pub fn new(imports: ImportRunner) -> Self {
        let limits = Limits { time: Duration::from_secs(900), ..Limits::default() };
        let (running, waiting) = (Arc::new(Semaphore::new(RUNNING)), Arc::new(Semaphore::new(WAITING)));
        Self { imports, limits, running, waiting }
    }

    /// Returns the time after which a run counts as lost.
    #[must_use]
    pub fn time_limit(&self) -> Duration {
        TIME_LIMIT
    }

    /// Acquires the permit of a run.
    ///
    /// # Errors
    /// 503 if too many are waiting on this node.
    pub fn begin(&self) -> Result<OwnedSemaphorePermit> {
        let permit = Arc::clone(&self.waiting).try_acquire_owned();
        permit.map_err(|_| {
            let busy =
                "As many Git imports and exports as this server takes at once are under way; try again.";
            Refusal::new(Reason::Unavailable).with_message(busy).into()
        })
    }

    /// Runs an import to its end, and notes the reason of a failure.
    pub async fn import(&self, door: &impl Door, run: GitRun, permit: OwnedSemaphorePermit) {
        let ended = async {
            started(door, &run).await?;
            let _running = self.turn().await?;
            import::run((&self.imports, self.limits), door, &run).await
        };
        self.end(door, &run, GitDirection::Import, ended, permit).await;
    }

    /// Runs an export to its end, and notes the reason of a failure.
    pub async fn export(&self, door: &impl Door, run: GitRun, new: NewExport, permit: OwnedSemaphorePermit) {
        let ended = async {
            started(door, &run).await?;
            let _running = self.turn().await?;
            export::run((&self.imports, self.limits), door, &run, &new).await
        };
        self.end(door, &run, GitDirection::Export, ended, permit).await;
    }

    async fn turn(&self) -> RunResult<OwnedSemaphorePermit> {
        let turn = Arc::clone(&self.running).acquire_owned().await;
        turn.map_err(|closed| Error::internal("the service ends", closed).into())
    }

    async fn end(
        &self,
        door: &impl Door,
        run: &GitRun,
        direction: GitDirection,
        ended: impl Future<Output = RunResult<()>>,
        _permit: OwnedSemaphorePermit,
    ) {
        let limited = tokio::time::timeout(TIME_LIMIT, ended).await;
        let Ok(Err(error)) = limited else { return };
        let unauthenticated = matches!(error, RunError::Git(GitError::Unauthenticated));
        let space = run.sync.space;
        let reason = match error {
            // A newer run has its place.
            RunError::Content(Error::CalledOff) => return,
            RunError::Git(error) => sentence(&error),
            RunError::Content(error) => match Failure::from(error) {
                Failure::Refused(refusal) => refused(&refusal),
                Failure::Unavailable(refusal, cause) => {
                    log::error!("a Git {} of space {space} failed: {cause}", direction.as_str());
                    refusal.message
                }
                Failure::Fault(fault) => {
                    log::error!("a Git {} of space {space} failed: {fault}", direction.as_str());
                    Reason::Internal.message().to_owned()
                }
            },
        };
        let (sync, reason) = (run.sync.clone(), shortened(&reason));
        let noted = door
            .transact(run.credentials, move |tx| Ok(tx.fail_git_sync(&sync, &reason, unauthenticated)?));
        if let Err(error) = noted.await {
            log::error!("the end of a Git {} of space {space} is lost: {error}", direction.as_str());
        }
    }
}

/// Waits until the start of a run is committed. With an idempotency key, that is after the response was written.
async fn started(door: &impl Door, run: &GitRun) -> RunResult<()> {
    let mut pause = COMMIT_POLL;
    while pause <= COMMIT_POLL_MAX {
        let sync = run.sync.clone();
        if door.read(run.credentials, move |reader| Ok(reader.is_running_git_sync(&sync)?)).await? {
            return Ok(());
        }
        tokio::time::sleep(pause).await;
        pause *= 2;
    }
    // It was rolled back.
    Err(Error::CalledOff.into())
}

/// Returns the sentence of an error with its causes.
fn sentence(error: &GitError) -> String {
    let mut sentence = error.to_string();
    let mut cause = std::error::Error::source(error);
    // Causes further down are of libraries, and may name internal addresses.
    if let Some(next) = cause.take() {
        sentence = format!("{sentence}: {next}");
    }
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

fn refused(refusal: &Refusal) -> String {
    match refusal.details.first() {
        Some(detail) => format!("{} {}", refusal.message, detail.message),
        None => refusal.message.clone(),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(REASON_MAX).collect()
}
