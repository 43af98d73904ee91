//! Pull requests for commits that the server refuses on the connected branch, such as a protected one.

use std::fmt;

use quire_domain::git::GitProvider;
use quire_domain::policy::Action;
use quire_git::{Address, GitError, ObjectId};
use quire_importer::fetch::Fetcher;
use quire_storage::content::git_installations::GitProposal;
use quire_storage::lookup::Credentials;
use quire_storage::{Reader, Tx};
use uuid::Uuid;

use super::super::hosts::{self, BRANCHES, Host, HostError, OpenRequest, Proposal, branch_name};
use super::super::run::{GitRun, NewExport, RunResult, ended};
use crate::door::Door;
use crate::error::Result;

/// Prefix of branches for commits that the server refuses on the connected branch.
const OWN: &str = "quire/";

/// Comment on a pull request that is closed.
const CLOSED: &str = "Quire closed this pull request, because none of its changes wait any more: they are on the branch, \
                      were undone in Quire, or conflict with a later commit of the branch, which takes precedence.";

/// Returns the full name of the branch for commits of a space or site that the server refuses on the connected branch.
pub(in super::super) fn branch_of(id: impl fmt::Display) -> String {
    format!("{BRANCHES}{OWN}{id}")
}

/// Returns whether a branch, without `refs/heads/`, is such a branch of any space or site.
pub(in super::super) fn is_own_branch(name: &str) -> bool {
    name.strip_prefix(OWN).is_some_and(|id| Uuid::try_parse(id).is_ok())
}

/// Opens a pull request unless one is open, and returns its URL. If the host refuses, returns the URL of the page for
/// opening it.
///
/// # Errors
/// For a server without pull requests, the reason and the location of the commit.
pub(in super::super) async fn offer(
    fetcher: &Fetcher,
    provider: GitProvider,
    proposal: &Proposal<'_>,
    reason: &str,
) -> std::result::Result<String, GitError> {
    let (source, target) = proposal.branches();
    hosts::propose(fetcher, provider, proposal).await.ok_or_else(|| GitError::Rejected {
        reason: format!("{reason}. The edits are on the branch `{source}`: merge it into `{target}`"),
    })
}

/// Pull request of a branch of Quire in which no commit waits any more.
pub(in super::super) struct Ended<'e> {
    pub(in super::super) provider: GitProvider,
    /// Repository.
    pub(in super::super) address: &'e Address,
    /// Full name of the branch.
    pub(in super::super) source: &'e str,
    /// URL in the log.
    pub(in super::super) logged: &'e str,
}

/// Closes the pull request, and records it with a sentence for users, `None` if it was not open. A host that cannot be
/// reached now is no error: a later run tries again.
pub(in super::super) async fn withdraw(
    fetcher: &Fetcher,
    (door, credentials): (&impl Door, Credentials),
    ended: &Ended<'_>,
    record: impl FnOnce(&mut Tx<'_>, Option<&str>) -> Result<()> + Send + 'static,
) -> RunResult<()> {
    match close(fetcher, ended).await {
        Ok(note) => Ok(door.transact(credentials, move |tx| record(tx, note.as_deref())).await?),
        Err(error) => {
            log::warn!("the pull request of {} cannot be closed: {error}", ended.source);
            Ok(())
        }
    }
}

/// Closes all pull requests of the branch. Returns a sentence for users, `None` if none was open.
async fn close(fetcher: &Fetcher, ended: &Ended<'_>) -> std::result::Result<Option<String>, HostError> {
    let logged = ended.logged;
    match close_some(fetcher, ended, CLOSED, |_| true).await {
        Ok((urls, _)) if urls.is_empty() => Ok(None),
        Ok((urls, None)) => Ok(Some(format!(
            "No change waits in the pull request {} any more, so it was closed.",
            urls.join(", ")
        ))),
        Ok((_, Some(error))) if error.is_refusal() => Ok(Some(format!(
            "No change waits in the pull request {logged} any more. Close it there: the host does not let Quire do it."
        ))),
        // The token may not read pull requests. Users have opened and merged this one by hand.
        Err(error) if error.is_refusal() => Ok(None),
        Ok((_, Some(error))) | Err(error) => Err(error),
    }
}

/// Closes pull requests of the branch with a comment, within a time limit. Returns the URLs of those that were open,
/// and the first reason why one could not be closed.
pub(in super::super) async fn close_some(
    fetcher: &Fetcher,
    Ended { provider, address, source, .. }: &Ended<'_>,
    comment: &str,
    is_ended: impl Fn(&OpenRequest) -> bool,
) -> std::result::Result<(Vec<String>, Option<HostError>), HostError> {
    let Some(host) = Host::of(*provider) else { return Ok((Vec::new(), None)) };
    let closing = hosts::close_requests(fetcher, host, (address, branch_name(source)), (comment, is_ended));
    tokio::time::timeout(hosts::TIMEOUT, closing).await.map_err(|_| HostError::TimedOut)?
}

/// Opens a pull request for a commit on the branch of the space, once per commit, and ends the run.
pub(super) async fn propose(
    fetcher: &Fetcher,
    door: &impl Door,
    run: &GitRun,
    new: &NewExport,
    (provider, target): (GitProvider, &str),
    (commit, reason): (ObjectId, String),
) -> RunResult<()> {
    let (space, credentials, commit) = (run.sync.space, run.credentials, commit.to_string());
    let looked = commit.clone();
    let look = move |reader: &mut Reader<'_>| {
        let space = reader.space(space)?.authorize(Action::TriggerGitSync)?;
        Ok(reader.is_git_proposal(&space, &looked)?)
    };
    let sync = run.sync.clone();
    // The pull request was opened before. A user may have closed it since.
    if door.read(credentials, look).await? {
        let end = move |tx: &mut Tx<'_>| ended(tx.succeed_git_sync(&sync, None, None)?);
        return Ok(door.transact(credentials, end).await?);
    }
    let source = branch_of(space);
    let proposal = Proposal { address: &run.address, source: &source, target, message: &new.last.message };
    let url = offer(fetcher, provider, &proposal, &reason).await?;
    let proposed = GitProposal { commit, url };
    let end = move |tx: &mut Tx<'_>| ended(tx.propose_git_sync(&sync, &proposed)?);
    Ok(door.transact(credentials, end).await?)
}
