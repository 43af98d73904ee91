//! Runs: their input and their end.

use std::fmt;
use std::time::Duration;

use quire_domain::error::{Failure, Reason, Refusal};
use quire_domain::git::{GitDirection, GitProvider};
use quire_domain::git_installations::GitAgent;
use quire_domain::ids::{GitInstallationId, RevisionId, SiteId, SpaceId};
use quire_git::{Address, GitError, Limits};
use quire_storage::content::git_syncs::StartedGitSync;
use quire_storage::content::store::RevisionRecord;
use quire_storage::lookup::Credentials;

use super::packs::PackCache;
use super::texts::TextCache;
use crate::error::{Error, Result};
use crate::imports::ImportRunner;

/// Number of digits in the short id of a commit.
pub(super) const SHORT_ID: usize = 7;

/// Time limit of a run from its request. A run may wait for others and store many pages.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(1_800);

/// Maximum length of the reason of a failure, in characters.
const REASON_MAX: usize = 1_000;

/// Run with its credentials.
#[derive(Debug)]
pub struct GitRun {
    /// Credentials of the user who requested the run.
    pub credentials: Credentials,
    /// Run as recorded at its start.
    pub sync: StartedGitSync,
    /// Repository with credentials.
    pub address: Address,
    /// Full name of the branch or tag. `None` for the branch that HEAD points to.
    pub reference: Option<String>,
    /// Folder of the content in the repository, with a trailing slash. Empty for the whole repository.
    pub folder: String,
    /// True to overwrite changes of the other side since the last run.
    pub force: bool,
    /// True if an export must be based on the commit that last equaled the content.
    pub follows: bool,
    /// True if the version of the content stays where changes of both sides conflict. Otherwise, that of the repository
    /// does.
    pub keeps_edits: bool,
    /// Id of the revision that an import creates instead of changing the content.
    pub standalone: Option<RevisionId>,
    /// Agents whose instruction files are not pages. An export writes missing instruction files.
    pub agents: Vec<GitAgent>,
    /// Connection whose runs share fetched commits: that of a site for all of its spaces.
    pub connection: Option<GitInstallationId>,
    /// Provider and URL of the repository of a connection. The revision of an import then lists the commits.
    pub repository: Option<(GitProvider, String)>,
}

/// Resources that the runs of a node share.
#[derive(Clone, Copy)]
pub(super) struct RunResources<'r> {
    pub(super) imports: &'r ImportRunner,
    pub(super) limits: Limits,
    pub(super) texts: &'r TextCache,
    pub(super) packs: &'r PackCache,
}

/// Reason why a run failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunError {
    /// An error about the repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// An error about the content.
    #[error(transparent)]
    Content(#[from] Error),
}

/// Result of a part of a run.
pub(super) type RunResult<T> = std::result::Result<T, RunError>;

impl From<quire_storage::Error> for RunError {
    fn from(error: quire_storage::Error) -> Self {
        Self::Content(error.into())
    }
}

impl From<Refusal> for RunError {
    fn from(refusal: Refusal) -> Self {
        Self::Content(refusal.into())
    }
}

/// Metadata of a commit.
#[derive(Clone, Debug)]
pub struct ExportCommit {
    /// Commit message without trailers.
    pub message: String,
    /// Commit time in seconds since the Unix epoch.
    pub seconds: i64,
    /// Author. `None` for the service.
    pub author: Option<CommitPerson>,
    /// Other people who made the changes.
    pub co_authors: Vec<CommitPerson>,
    /// True to sign the commit off in the name of its author.
    pub is_signed_off: bool,
}

/// Name and e-mail address of a person.
pub type CommitPerson = (String, String);

/// Commits of an export.
#[derive(Clone, Debug)]
pub struct NewExport {
    /// Revisions since the last synchronization that get commits of their own, oldest first.
    pub earlier: Vec<(RevisionRecord, ExportCommit)>,
    /// Commit of all other changes.
    pub last: ExportCommit,
    /// Provider that gets a pull request if the server refuses the commit on the connected branch. With `None`, the
    /// export fails instead.
    pub proposes: Option<GitProvider>,
}

/// Rolls back the transaction of a run that a newer run replaced.
pub(super) fn ended(is_current: bool) -> Result<()> {
    match is_current {
        true => Ok(()),
        false => Err(Error::CalledOff),
    }
}

/// Returns the message of an error with its direct cause.
pub(super) fn sentence(error: &GitError) -> String {
    let mut sentence = error.to_string();
    let mut cause = std::error::Error::source(error);
    // Deeper causes come from libraries and may contain internal addresses.
    if let Some(next) = cause.take() {
        sentence = format!("{sentence}: {next}");
    }
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Returns the reason of a failure for users. `None` for a run that a newer one replaced.
pub(super) fn reason_of(error: RunError, direction: GitDirection, space: SpaceId) -> Option<String> {
    reason_in(error, direction, format_args!("space {space}"))
}

/// Like [`reason_of`], for a site.
pub(super) fn site_reason_of(error: RunError, direction: GitDirection, site: SiteId) -> Option<String> {
    reason_in(error, direction, format_args!("site {site}"))
}

fn reason_in(error: RunError, direction: GitDirection, target: fmt::Arguments<'_>) -> Option<String> {
    let direction = direction.as_str();
    let reason = match error {
        // A newer run replaced this one.
        RunError::Content(Error::CalledOff) => return None,
        RunError::Git(error) => sentence(&error),
        RunError::Content(error) => match Failure::from(error) {
            Failure::Refused(refusal) => refused(&refusal),
            Failure::Unavailable(refusal, cause) => {
                log::error!("a Git {direction} of {target} failed: {cause}");
                refusal.message
            }
            Failure::Fault(fault) => {
                log::error!("a Git {direction} of {target} failed: {fault}");
                Reason::Internal.message().to_owned()
            }
        },
    };
    Some(shortened(&reason))
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
