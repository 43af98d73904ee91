//! Commits that the server does not accept on the branch, as it does for a protected one.

use quire_domain::git::GitProvider;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_git::{GitError, ObjectId};
use quire_importer::fetch::Fetcher;
use quire_storage::content::git_installations::GitProposal;
use quire_storage::{Reader, Tx};

use super::super::hosts::{self, Proposal};
use super::super::run::{GitRun, NewExport, RunResult, ended};
use crate::door::Door;

/// Folder of branches.
const BRANCHES: &str = "refs/heads/";

/// Returns the full name of the branch for commits of a space that the server does not accept on the connected one.
pub(super) fn branch_of(space: SpaceId) -> String {
    format!("{BRANCHES}quire/{space}")
}

/// Opens a pull request for a commit on the branch of the space, once, and ends the run.
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
    // A person may have closed the pull request.
    if door.read(credentials, look).await? {
        let end = move |tx: &mut Tx<'_>| ended(tx.succeed_git_sync(&sync, None, None)?);
        return Ok(door.transact(credentials, end).await?);
    }
    let source = branch_of(space);
    let short = |name: &str| name.strip_prefix(BRANCHES).unwrap_or(name).to_owned();
    let (source, target) = (short(&source), short(target));
    let proposal =
        Proposal { address: &run.address, source: &source, target: &target, message: &new.message };
    let Some(url) = hosts::propose(fetcher, provider, &proposal).await else {
        let reason = format!("{reason}. The edits are on the branch `{source}`: merge it into `{target}`");
        return Err(GitError::Rejected { reason }.into());
    };
    let proposed = GitProposal { commit, url };
    let end = move |tx: &mut Tx<'_>| ended(tx.propose_git_sync(&sync, &proposed)?);
    Ok(door.transact(credentials, end).await?)
}
