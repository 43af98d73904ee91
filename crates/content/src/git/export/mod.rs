//! Export: one commit with all changes since the last synchronization.
//!
//! Files of unchanged pages are not written. The file of a changed page is a merge of its text in the repository with
//! the change, so that the style of its author is preserved.

mod edits;
mod large;
mod open;
mod proposal;
mod push;
mod reading;
mod record;

use std::sync::Arc;

use quire_git::{Description, GitError, Remote, Signature};

use self::edits::{edits, read};
pub(super) use self::open::{Opened, open};
use self::proposal::propose;
pub(super) use self::proposal::{Ended, branch_of, close_some, is_own_branch, offer, withdraw};
pub(super) use self::push::push_to;
use self::push::{Pushed, push};
use self::record::finish;
use super::run::{GitRun, NewExport, RunError, RunResources, RunResult};
use crate::door::Door;

/// Maximum number of attempts of an export if the branch moves meanwhile.
const ATTEMPTS: usize = 3;

/// Name and e-mail address of the committer.
const COMMITTER: (&str, &str) = ("Quire", "quire@localhost");

/// End of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exported {
    /// The connected branch has the content.
    Pushed,
    /// The commit waits on the branch of Quire.
    Offered,
}

/// Runs an export.
pub(super) async fn run(
    resources: RunResources<'_>,
    door: &impl Door,
    run: &GitRun,
    new: &NewExport,
) -> RunResult<Exported> {
    let mut attempt = 1;
    loop {
        match once(resources, door, run, new).await {
            Err(RunError::Git(GitError::Outdated)) if attempt < ATTEMPTS && !run.follows => attempt += 1,
            result => return result,
        }
    }
}

async fn once(
    RunResources { imports, limits, packs, .. }: RunResources<'_>,
    door: &impl Door,
    run: &GitRun,
    new: &NewExport,
) -> RunResult<Exported> {
    let fetcher = &imports.fetcher;
    let (reference, folder) = (run.reference.clone(), run.folder.clone());
    let open = move |remote: &Remote| open(remote, reference.as_deref(), &folder);
    let limits = || (limits, packs.of(run.connection, &run.address));
    let opened = Arc::new(Remote::run_with(fetcher, run.address.clone(), limits(), open).await?);
    let base = run.sync.base.as_ref().filter(|_| run.follows);
    if base.is_some_and(|base| {
        opened.branch.commit.map(|commit| commit.to_string()) != Some(base.commit.clone())
    }) {
        return Err(GitError::Outdated.into());
    }
    let prefix = match opened.location.root.as_str() {
        "" => run.folder.clone(),
        root => format!("{}{root}/", run.folder),
    };
    let sides = Arc::new(read(door, run, &opened, prefix.clone()).await?);
    let edits = edits(imports, door, run, (&opened, &sides), prefix.clone()).await?;
    // A run that follows an import has seen every file of the commit.
    let is_forced = run.force || run.follows || run.sync.base.is_none();
    let description = description(new);
    let target = opened.branch.name.clone();
    let other = new.proposes.map(|_| branch_of(run.sync.space));
    let push =
        move |remote: &Remote| push(remote, &opened, &edits, (&description, other.as_deref()), is_forced);
    let pushed = Remote::run_with(fetcher, run.address.clone(), limits(), push).await?;
    match (pushed, new.proposes) {
        (Some(Pushed { commit, refused: Some(reason), .. }), Some(provider)) => {
            propose(fetcher, door, run, new, (provider, &target), (commit, reason)).await?;
            Ok(Exported::Offered)
        }
        (pushed, _) => {
            finish(door, run, (sides, prefix), pushed).await?;
            Ok(Exported::Pushed)
        }
    }
}

/// Returns the metadata of an export's commit.
pub(super) fn description(new: &NewExport) -> Description {
    let committer = Signature { name: COMMITTER.0.to_owned(), email: COMMITTER.1.to_owned() };
    let author = new.author.clone().map(|(name, email)| Signature { name, email });
    Description {
        author: author.unwrap_or_else(|| committer.clone()),
        committer,
        seconds: new.seconds,
        message: new.message.clone(),
    }
}
