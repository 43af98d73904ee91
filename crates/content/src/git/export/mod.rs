//! Export: a commit for each revision since the last synchronization, or one commit with all changes.
//!
//! Files of unchanged pages are not written. The file of a changed page is a merge of its text in the repository with
//! the change, so that the style of its author is preserved.

mod edits;
mod large;
mod open;
mod places;
mod proposal;
mod push;
mod reading;
mod record;

use std::sync::Arc;

use quire_git::{Description, GitError, Remote, Signature};

use self::edits::{Total, edits, read};
pub(super) use self::open::{Opened, open};
use self::proposal::propose;
pub(super) use self::proposal::{Ended, branch_of, close_some, is_own_branch, offer, withdraw};
pub(super) use self::push::push_to;
use self::push::{Pushed, push};
use self::record::finish;
use super::run::{CommitPerson, ExportCommit, GitRun, NewExport, RunError, RunResources, RunResult};
use crate::door::Door;

/// Maximum number of attempts of an export if the branch moves meanwhile.
const ATTEMPTS: usize = 3;

/// Name and e-mail address of the committer.
pub(super) const COMMITTER: (&str, &str) = ("Quire", "quire@localhost");

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
            // A commit of all changes lacks what was replaced or removed since, such as a file that the server refuses.
            Err(RunError::Git(error)) if !new.earlier.is_empty() && is_about_changes(&error) => {
                let joined = NewExport { earlier: Vec::new(), ..new.clone() };
                return once(resources, door, run, &joined).await;
            }
            result => return result,
        }
    }
}

/// Returns whether other changes may succeed after an error.
fn is_about_changes(error: &GitError) -> bool {
    use GitError::{Outdated, ReadOnly, TimedOut, Unauthenticated};
    !matches!(error, Outdated | Unauthenticated | ReadOnly | TimedOut { .. })
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
    let (mut steps, mut total, mut former) = (Vec::new(), Total::default(), None);
    // The commits of earlier revisions follow the last synchronized one.
    let earlier = new.earlier.iter().filter(|_| base.is_some());
    for (revision, commit) in earlier {
        let read = read(door, run, &opened, (prefix.clone(), former.as_ref()), Some(revision)).await?;
        let sides = Arc::new(read);
        let edits = edits(imports, door, run, (&opened, &sides), (prefix.clone(), &mut total)).await?;
        steps.push((edits, description(commit)));
        former = Some(sides.passed(&prefix)?);
    }
    let sides = Arc::new(read(door, run, &opened, (prefix.clone(), former.as_ref()), None).await?);
    let edits = edits(imports, door, run, (&opened, &sides), (prefix.clone(), &mut total)).await?;
    steps.push((edits, description(&new.last)));
    // A run that follows an import has seen every file of the commit.
    let is_forced = run.force || run.follows || run.sync.base.is_none();
    let target = opened.branch.name.clone();
    let other = new.proposes.map(|_| branch_of(run.sync.space));
    let push = move |remote: &Remote| push(remote, &opened, (steps.as_slice(), other.as_deref()), is_forced);
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

/// Returns the description of a commit.
pub(super) fn description(commit: &ExportCommit) -> Description {
    let signature = |(name, email): &CommitPerson| Signature { name: name.clone(), email: email.clone() };
    let committer = Signature { name: COMMITTER.0.to_owned(), email: COMMITTER.1.to_owned() };
    let author = commit.author.as_ref().map_or_else(|| committer.clone(), signature);
    let co_authors = commit.co_authors.iter().map(|person| format!("Co-authored-by: {}", signature(person)));
    let signed_off = commit.is_signed_off.then(|| format!("Signed-off-by: {author}"));
    let trailers: Vec<String> = co_authors.chain(signed_off).collect();
    let message = match trailers.is_empty() {
        true => commit.message.clone(),
        false => format!("{}\n\n{}", commit.message.trim_end(), trailers.join("\n")),
    };
    Description { author, committer, seconds: commit.seconds, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_follow_the_message() {
        let person = |name: &str| (name.to_owned(), format!("{}@example.org", name.to_lowercase()));
        let mut commit = ExportCommit {
            message: "Add a page\n".to_owned(),
            seconds: 0,
            author: None,
            co_authors: Vec::new(),
            is_signed_off: false,
        };
        assert_eq!(description(&commit).message, "Add a page\n");
        commit.is_signed_off = true;
        assert_eq!(description(&commit).message, "Add a page\n\nSigned-off-by: Quire <quire@localhost>");
        commit.author = Some(person("Ada"));
        // A name is on one line, and ends where the address begins.
        commit.co_authors = vec![person("Ben"), ("Eve\n<e@x.org>".to_owned(), "eve@example.org".to_owned())];
        let message = "Add a page\n\nCo-authored-by: Ben <ben@example.org>\n\
                       Co-authored-by: Evee@x.org <eve@example.org>\nSigned-off-by: Ada <ada@example.org>";
        assert_eq!(description(&commit).message, message);
    }
}
