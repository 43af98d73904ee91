//! A run: what was asked for, and how it ends.

use std::fmt;
use std::time::Duration;

use quire_domain::error::{Failure, Reason, Refusal};
use quire_domain::git::{GitDirection, GitProvider};
use quire_domain::git_installations::GitAgent;
use quire_domain::ids::{GitInstallationId, RevisionId, SiteId, SpaceId};
use quire_git::{Address, GitError, Limits};
use quire_storage::content::git_syncs::StartedGitSync;
use quire_storage::lookup::Credentials;

use super::packs::PackCache;
use super::texts::TextCache;
use crate::error::{Error, Result};
use crate::imports::ImportRunner;

/// Time of a run, from the request on: a run may wait for those before it, and store many pages.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(1_800);

/// Most characters of the reason of a failure.
const REASON_MAX: usize = 1_000;

/// A run with its credentials.
#[derive(Debug)]
pub struct GitRun {
    /// The credentials of the user who asked for it.
    pub credentials: Credentials,
    /// The run as it was started.
    pub sync: StartedGitSync,
    /// The repository, with the credentials for it.
    pub address: Address,
    /// Full name of the branch or tag; `None` for the branch of HEAD.
    pub reference: Option<String>,
    /// Folder of the content in the repository, with a slash at its end; empty for the whole repository.
    pub folder: String,
    /// Gives up what the other side changed since the last run.
    pub force: bool,
    /// An export must follow the commit that was last the same as the content.
    pub follows: bool,
    /// Id of the revision that an import makes in place of changing the content.
    pub standalone: Option<RevisionId>,
    /// Programs whose files with instructions are no pages. An export writes those that are missing.
    pub agents: Vec<GitAgent>,
    /// Connection of a site that manages that of the space. Its runs share fetched commits.
    pub site: Option<GitInstallationId>,
}

/// Means that the runs of a node share.
#[derive(Clone, Copy)]
pub(super) struct Means<'r> {
    pub(super) imports: &'r ImportRunner,
    pub(super) limits: Limits,
    pub(super) texts: &'r TextCache,
    pub(super) packs: &'r PackCache,
}

/// Reason why a run failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunError {
    /// The repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The content.
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

/// The commit of an export.
#[derive(Clone, Debug)]
pub struct NewExport {
    /// Its message.
    pub message: String,
    /// Its time in seconds since the Unix epoch.
    pub seconds: i64,
    /// Its author; `None` for the service.
    pub author: Option<(String, String)>,
    /// Provider whose pull requests take commits that the server does not accept on the branch. `None` for an export
    /// that fails instead.
    pub proposes: Option<GitProvider>,
}

/// Rolls the transaction of a run back that was replaced by a newer one.
pub(super) fn ended(is_current: bool) -> Result<()> {
    match is_current {
        true => Ok(()),
        false => Err(Error::CalledOff),
    }
}

/// Returns the sentence of an error with its causes.
pub(super) fn sentence(error: &GitError) -> String {
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

/// Returns the reason of a failure for people; `None` for a run that has no place any more.
pub(super) fn reason_of(error: RunError, direction: GitDirection, space: SpaceId) -> Option<String> {
    reason_in(error, direction, format_args!("space {space}"))
}

/// As [`reason_of`], for a site.
pub(super) fn site_reason_of(error: RunError, direction: GitDirection, site: SiteId) -> Option<String> {
    reason_in(error, direction, format_args!("site {site}"))
}

fn reason_in(error: RunError, direction: GitDirection, target: fmt::Arguments<'_>) -> Option<String> {
    let direction = direction.as_str();
    let reason = match error {
        // A newer run has its place.
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
