//! Runs of a node, within its limits.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use quire_domain::error::{Reason, Refusal};
use quire_domain::git::GitDirection;
use quire_domain::git_installations::GitComparison;
use quire_domain::ids::SpaceId;
use quire_git::{GitError, Limits};
use quire_storage::Storage;
use quire_storage::content::git_installations::{
    DueGitInstallation, FormerGitProposal, FormerGitRemote, GitRemote, GitRunEnd,
};
use quire_storage::content::git_sites::DueSiteGit;
use quire_storage::lookup::Credentials;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::hosts::{GithubApp, TokenError};
use super::packs::PackCache;
use super::run::{
    GitRun, NewExport, RunError, RunResources, RunResult, TIME_LIMIT, reason_of, sentence, site_reason_of,
};
use super::sync::{self, Failed};
use super::texts::TextCache;
use super::{compare, export, former, import, previews, site};
use crate::door::Door;
use crate::error::{Error, Result};
use crate::imports::ImportRunner;

/// Maximum number of concurrent runs.
const RUNNING: usize = 2;

/// Time limit of an access to a repository: of an import, and of each of the two parts of an export.
const ACCESS_LIMIT: Duration = Duration::from_secs(900);

/// Maximum number of running and waiting runs.
const WAITING: usize = 32;

/// Time limit of a comparison or list, which a request waits for.
pub(super) const COMPARISON_LIMIT: Duration = Duration::from_secs(30);

/// Reason of a synchronization that exceeded the time limit of a run.
const NOT_IN_TIME: &str = "It did not finish in time.";

/// First and longest pause between two checks whether the start of a run is committed.
const COMMIT_POLL: Duration = Duration::from_millis(5);
const COMMIT_POLL_MAX: Duration = Duration::from_secs(5);

/// End of a synchronization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncEnd {
    /// Success, or the kind of the failure.
    pub end: GitRunEnd,
    /// Direction and reason of a failure that is not in the log yet, because its run did not start.
    pub unnoted: Option<(GitDirection, String)>,
}

/// Runner of imports from and exports to Git repositories.
#[derive(Clone, Debug)]
pub struct GitRunner {
    pub(super) imports: ImportRunner,
    pub(super) limits: Limits,
    /// Time limit of a whole run.
    time_limit: Duration,
    texts: TextCache,
    packs: PackCache,
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    app: Option<Admission>,
}

/// GitHub App of the deployment, and the storage for its clock.
#[derive(Clone)]
struct Admission {
    app: GithubApp,
    storage: Storage,
}

impl fmt::Debug for Admission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.app.fmt(f)
    }
}

impl GitRunner {
    /// Returns a runner that stores imports through `imports`.
    #[must_use]
    pub fn new(imports: ImportRunner) -> Self {
        let limits = Limits { time: ACCESS_LIMIT, ..Limits::default() };
        let (running, waiting) = (Arc::new(Semaphore::new(RUNNING)), Arc::new(Semaphore::new(WAITING)));
        let (texts, packs) = (TextCache::default(), PackCache::default());
        Self { imports, limits, time_limit: TIME_LIMIT, texts, packs, running, waiting, app: None }
    }

    /// Sets the time limits of an access to a repository and of a whole run.
    #[must_use]
    pub fn with_time_limits(self, access: Duration, run: Duration) -> Self {
        Self { limits: Limits { time: access, ..self.limits }, time_limit: run, ..self }
    }

    /// Sets the GitHub App of the deployment.
    #[must_use]
    pub fn with_app(self, app: Option<GithubApp>, storage: &Storage) -> Self {
        Self { app: app.map(|app| Admission { app, storage: storage.clone() }), ..self }
    }

    /// Returns the GitHub App of the deployment, if there is one.
    #[must_use]
    pub fn app(&self) -> Option<&GithubApp> {
        self.app.as_ref().map(|admission| &admission.app)
    }

    /// Returns a repository with credentials. Requests a token if it is accessed through the GitHub App.
    pub(super) async fn admitted<'r>(
        &self,
        remote: &'r GitRemote,
    ) -> std::result::Result<Cow<'r, GitRemote>, TokenError> {
        let Some(installation) = remote.app else { return Ok(Cow::Borrowed(remote)) };
        let Admission { app, storage } = self.app.as_ref().ok_or(TokenError::NoApp)?;
        let now = storage.clock().now();
        let account = app.account(&self.imports.fetcher, now, installation, &remote.url).await?;
        Ok(Cow::Owned(GitRemote { account: Some(account), ..remote.clone() }))
    }

    /// Returns a connection with credentials for its repository.
    async fn admitted_due<'d>(
        &self,
        due: &'d DueGitInstallation,
    ) -> std::result::Result<Cow<'d, DueGitInstallation>, TokenError> {
        Ok(match self.admitted(&due.connection.remote).await? {
            Cow::Borrowed(_) => Cow::Borrowed(due),
            Cow::Owned(remote) => {
                let mut admitted = due.clone();
                admitted.connection.remote = remote;
                Cow::Owned(admitted)
            }
        })
    }

    fn resources(&self) -> RunResources<'_> {
        RunResources { imports: &self.imports, limits: self.limits, texts: &self.texts, packs: &self.packs }
    }

    /// Returns the time after which a run counts as lost.
    #[must_use]
    pub fn time_limit(&self) -> Duration {
        self.time_limit
    }

    /// Acquires the permit of a run.
    ///
    /// # Errors
    /// 503 if too many runs wait on this node.
    pub fn begin(&self) -> Result<OwnedSemaphorePermit> {
        let permit = Arc::clone(&self.waiting).try_acquire_owned();
        permit.map_err(|_| {
            let busy = "Too many Git imports and exports are running on this server. Try again later.";
            Refusal::new(Reason::Unavailable).with_message(busy).into()
        })
    }

    /// Runs an import to its end, and records the reason of a failure.
    pub async fn import(&self, door: &impl Door, run: GitRun, permit: OwnedSemaphorePermit) {
        let ended = async {
            started(door, &run).await?;
            let _running = self.turn().await?;
            import::run(self.resources(), door, &run).await?;
            Ok(())
        };
        self.end(door, &run, GitDirection::Import, ended, permit).await;
    }

    /// Runs an export to its end, and records the reason of a failure.
    pub async fn export(&self, door: &impl Door, run: GitRun, new: NewExport, permit: OwnedSemaphorePermit) {
        let ended = async {
            started(door, &run).await?;
            let _running = self.turn().await?;
            export::run(self.resources(), door, &run, &new).await?;
            Ok(())
        };
        self.end(door, &run, GitDirection::Export, ended, permit).await;
    }

    /// Synchronizes a connected space: imports, then exports. Records the reason of a failed run. `base_url` is the URL
    /// of the service.
    ///
    /// # Errors
    /// 503 if too many runs wait on this node.
    pub async fn synchronize(
        &self,
        door: &impl Door,
        due: &DueGitInstallation,
        credentials: Credentials,
        base_url: &str,
    ) -> Result<SyncEnd> {
        let _permit = self.begin()?;
        let limited = async {
            let _running = self.turn().await.map_err(Failed::before)?;
            let due = self.admitted_due(due).await.map_err(Failed::before)?;
            sync::run(self.resources(), door, &due, (credentials, base_url)).await
        };
        let Failed { run, direction, error } = match tokio::time::timeout(self.time_limit, limited).await {
            Ok(Ok(())) => return Ok(SyncEnd { end: GitRunEnd::Success, unnoted: None }),
            Ok(Err(failed)) => failed,
            Err(_) => {
                let unnoted = Some((due.connection.priority.direction(), NOT_IN_TIME.to_owned()));
                return Ok(SyncEnd { end: GitRunEnd::Failure, unnoted });
            }
        };
        let end = match &error {
            RunError::Git(GitError::Unauthenticated) => GitRunEnd::Unauthenticated,
            _ => GitRunEnd::Failure,
        };
        let unnoted = match run {
            Some(run) => {
                self.fail(door, &run, direction, error).await;
                None
            }
            None => reason_of(error, direction, due.space).map(|reason| (direction, reason)),
        };
        Ok(SyncEnd { end, unnoted })
    }

    /// Synchronizes a connected site. Returns the reason of a failure, which is not in the log yet.
    ///
    /// # Errors
    /// 503 if too many runs wait on this node.
    pub async fn synchronize_site(
        &self,
        door: &impl Door,
        due: &DueSiteGit,
        credentials: Credentials,
    ) -> Result<(GitRunEnd, Option<String>)> {
        let _permit = self.begin()?;
        let limited = async {
            let _running = self.turn().await?;
            let mut admitted = due.clone();
            admitted.connection.remote = self.admitted(&due.connection.remote).await?.into_owned();
            site::run(self.resources(), door, &admitted, credentials).await
        };
        let error = match tokio::time::timeout(self.time_limit, limited).await {
            Ok(Ok(())) => return Ok((GitRunEnd::Success, None)),
            Ok(Err(error)) => error,
            Err(_) => return Ok((GitRunEnd::Failure, Some(NOT_IN_TIME.to_owned()))),
        };
        let end = match &error {
            RunError::Git(GitError::Unauthenticated) => GitRunEnd::Unauthenticated,
            _ => GitRunEnd::Failure,
        };
        Ok((end, site_reason_of(error, due.direction(), due.site)))
    }

    /// Checks that the branch of a site has a site file. Passes if the repository is unreadable, since the
    /// synchronization reports the reason.
    ///
    /// # Errors
    /// 409 if the site file is missing. 503 if too many runs wait on this node.
    pub async fn require_site_file(&self, remote: GitRemote) -> Result<()> {
        let _permit = self.begin()?;
        let limits = Limits { time: COMPARISON_LIMIT, ..self.limits };
        let Ok(remote) = self.admitted(&remote).await.map(Cow::into_owned) else { return Ok(()) };
        match site::require_file((&self.imports.fetcher, limits), remote).await {
            Err(RunError::Content(error)) => Err(error),
            Ok(()) | Err(RunError::Git(_)) => Ok(()),
        }
    }

    /// Updates the previews of open pull requests of a connected space, and removes previews of closed ones. `base_url`
    /// is the URL of the service.
    ///
    /// # Errors
    /// 503 if too many runs wait on this node. The errors of the storage. A pull request that cannot be imported is no
    /// error.
    pub async fn preview(
        &self,
        door: &impl Door,
        due: &DueGitInstallation,
        credentials: Credentials,
        base_url: &str,
    ) -> Result<()> {
        let _permit = self.begin()?;
        let limited = async {
            let _running = self.turn().await?;
            let due = self.admitted_due(due).await?;
            previews::run(self.resources(), door, &due, credentials, base_url).await
        };
        match tokio::time::timeout(self.time_limit, limited).await {
            Ok(Err(RunError::Content(error))) => Err(error),
            Ok(Err(RunError::Git(error))) => {
                log::warn!("the pull requests of space {} cannot be read: {error}", due.space);
                Ok(())
            }
            Ok(Ok(())) | Err(_) => Ok(()),
        }
    }

    /// Closes the pull request of a branch that a connection had before. Returns a sentence for users, `None` if it is
    /// not open, or the connection has the branch again.
    ///
    /// # Errors
    /// The reason why the host cannot be reached now, unless this attempt is the last one.
    pub async fn close_former(
        &self,
        former: &FormerGitProposal,
        found: &FormerGitRemote,
        is_last: bool,
    ) -> std::result::Result<Option<String>, String> {
        if found.is_back {
            return Ok(None);
        }
        let closed = async {
            let remote = self.admitted(&found.remote).await.map_err(|error| error.to_string())?;
            former::close(&self.imports.fetcher, former, (&remote, found.is_same_repository)).await
        };
        match closed.await {
            Err(reason) if is_last => {
                log::warn!("the pull request {} cannot be closed: {reason}", former.pull_request);
                Ok(Some(former::by_hand(former, "cannot be reached")))
            }
            closed => closed,
        }
    }

    /// Compares the pages of a space with the files of a repository. If the repository is missing or unreadable, the
    /// comparison contains the reason.
    ///
    /// # Errors
    /// 503 if too many runs wait on this node.
    pub async fn compare(
        &self,
        door: &impl Door,
        credentials: Credentials,
        space: SpaceId,
        remote: Option<GitRemote>,
    ) -> Result<GitComparison> {
        let _permit = self.begin()?;
        let limits = Limits { time: COMPARISON_LIMIT, ..self.limits };
        let error = match remote {
            None => Reason::GitNotSetUp.message().to_owned(),
            Some(remote) => {
                let compared = async {
                    let _running = self.turn().await?;
                    let remote = match self.admitted(&remote).await {
                        Ok(remote) => remote.into_owned(),
                        Err(error) => return Ok(Err(error.to_string())),
                    };
                    let resources = (&self.imports, limits);
                    compare::run(resources, door, credentials, space, remote).await.map(Ok)
                };
                match compared.await {
                    Ok(Ok(comparison)) => return Ok(comparison),
                    Ok(Err(reason)) => reason,
                    Err(RunError::Git(error)) => sentence(&error),
                    Err(RunError::Content(error)) => return Err(error),
                }
            }
        };
        let pages = compare::pages(door, credentials, space, String::new()).await?.len();
        let pages = u64::try_from(pages).unwrap_or(u64::MAX);
        Ok(GitComparison { pages, files: None, both: None, commit: None, error: Some(error) })
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
        let limited = tokio::time::timeout(self.time_limit, ended).await;
        let Ok(Err(error)) = limited else { return };
        self.fail(door, run, direction, error).await;
    }

    /// Records the reason of a failure.
    async fn fail(&self, door: &impl Door, run: &GitRun, direction: GitDirection, error: RunError) {
        let unauthenticated = matches!(error, RunError::Git(GitError::Unauthenticated));
        let space = run.sync.space;
        let Some(reason) = reason_of(error, direction, space) else { return };
        let sync = run.sync.clone();
        let noted = door
            .transact(run.credentials, move |tx| Ok(tx.fail_git_sync(&sync, &reason, unauthenticated)?));
        if let Err(error) = noted.await {
            log::error!("the end of a Git {} of space {space} is lost: {error}", direction.as_str());
        }
    }
}

/// Waits until the start of a run is committed. With an idempotency key this happens after the response is written.
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
    // The transaction of the start was rolled back.
    Err(Error::CalledOff.into())
}

#[cfg(test)]
mod tests {
    use quire_importer::fetch::{FetchConfig, Fetcher};

    use super::*;
    use crate::imports::ImportLimiter;

    #[test]
    fn a_run_has_the_documented_time_limits() {
        let fetcher = Fetcher::new(FetchConfig::default());
        let limiter = ImportLimiter::new(1, Duration::from_secs(1), fetcher.threads().clone());
        let runner = GitRunner::new(ImportRunner { fetcher, limiter });
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        assert_eq!((runner.limits.time, runner.time_limit()), (minutes(15), minutes(30)));
    }

    #[test]
    fn no_more_runs_wait_than_a_node_takes() {
        let fetcher = Fetcher::new(FetchConfig::default());
        let limiter = ImportLimiter::new(1, Duration::from_secs(1), fetcher.threads().clone());
        let runner = GitRunner::new(ImportRunner { fetcher, limiter });
        let mut permits: Vec<_> = (0..WAITING).map(|_| runner.begin().unwrap()).collect();
        assert!(
            matches!(runner.begin(), Err(Error::Refused(refusal)) if refusal.reason == Reason::Unavailable)
        );
        permits.pop();
        assert!(runner.begin().is_ok());
    }

    #[tokio::test]
    async fn no_more_runs_are_active_than_a_node_takes() {
        let fetcher = Fetcher::new(FetchConfig::default());
        let limiter = ImportLimiter::new(1, Duration::from_secs(1), fetcher.threads().clone());
        let runner = GitRunner::new(ImportRunner { fetcher, limiter });
        let (first, second) = (runner.turn().await.unwrap(), runner.turn().await.unwrap());
        let third = async || tokio::time::timeout(Duration::ZERO, runner.turn()).await.is_ok();
        assert!(!third().await);
        drop(first);
        assert!(third().await);
        drop(second);
    }
}
