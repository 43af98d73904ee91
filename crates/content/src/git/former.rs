//! Pull requests of branches that connections had before.

use quire_importer::fetch::Fetcher;
use quire_storage::content::git_installations::{FormerGitProposal, GitRemote};

use super::export::{Ended, branch_of, close_some};
use super::hosts::{OpenRequest, branch_name};
use super::run::sentence;
use super::sync::address_of;

/// Comment on a pull request that is closed.
const COMMENT: &str = "Quire closed this pull request, because its changes come from content that is connected to another \
                       branch or repository now. The changes are still in Quire.";

/// Closes the pull request of a branch that a connection had before. Returns a sentence for users, `None` if it is not
/// open.
///
/// # Errors
/// The reason why the host cannot be reached now.
pub(super) async fn close(
    fetcher: &Fetcher,
    former: &FormerGitProposal,
    (remote, is_same_repository): (&GitRemote, bool),
) -> Result<Option<String>, String> {
    let address = address_of(remote).map_err(|error| sentence(&error))?;
    let (source, logged) = (branch_of(former.owner), former.pull_request.as_str());
    let ended = Ended { provider: former.provider, address: &address, source: &source, logged };
    let target = remote.reference.as_deref().map(branch_name);
    // In the same repository, a pull request into the new branch has the same source.
    let is_former = |request: &OpenRequest| {
        !is_same_repository
            || request.url.as_deref() == Some(logged)
            || target == Some(request.target.as_str())
    };
    match close_some(fetcher, &ended, COMMENT, is_former).await {
        Ok((urls, _)) if urls.is_empty() => Ok(None),
        Ok((urls, None)) => {
            Ok(Some(format!("The pull request {} of the former branch was closed.", urls.join(", "))))
        }
        Ok((_, Some(error))) | Err(error) if error.is_refusal() => {
            Ok(Some(by_hand(former, "does not let Quire do it")))
        }
        Ok((_, Some(error))) | Err(error) => Err(error.to_string()),
    }
}

/// Returns the sentence for users about a pull request that Quire cannot close.
pub(super) fn by_hand(former: &FormerGitProposal, reason: &str) -> String {
    let url = former.pull_request.as_str();
    format!("If the pull request {url} of the former branch is open, close it there: the host {reason}.")
}
