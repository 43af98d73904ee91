//! Commits and pushes of changes. Each changed text is merged with its file in the repository.

use std::collections::{BTreeMap, BTreeSet};

use quire_git::{Changes, Description, GitError, NewCommit, ObjectId, Remote, RemoteRef, Snapshot};

use super::super::agents;
use super::super::merge::{Merged, merge};
use super::super::run::SHORT_ID;
use super::edits::{Edits, Printed, Source};
use super::large;
use super::open::Opened;

/// Outcome of a push.
pub(super) struct Pushed {
    /// The last commit.
    pub(super) commit: ObjectId,
    /// Object ids of the written files by path.
    pub(super) files: BTreeMap<String, ObjectId>,
    /// Reason why the server refused the commit on the connected branch, if it is on the other branch.
    pub(super) refused: Option<String>,
    /// Sentences for users about the commits before the last one, and about files that the server could not store as
    /// intended.
    pub(super) notes: Option<String>,
}

/// Changes of a commit with its description.
pub(super) type Step = (Edits, Description);

/// Makes a commit of each step that changes files, and pushes them together. Returns `None` if the repository is empty
/// and stays so. If the server refuses the commits on the connected branch, pushes them to the branch `other`, if
/// given.
///
/// Edits that later steps undo completely are not pushed.
pub(super) fn push(
    remote: &Remote,
    opened: &Opened,
    (steps, other): (&[Step], Option<&str>),
    is_forced: bool,
) -> std::result::Result<Option<Pushed>, GitError> {
    let Opened { branch, .. } = opened;
    let mut snapshot = branch.commit.map(|commit| remote.fetch(commit)).transpose()?;
    if let Some(snapshot) = &mut snapshot {
        let texts = steps.iter().flat_map(|(edits, _)| texts(edits));
        let paths =
            texts.flat_map(|(path, printed)| printed.from.iter().map(|from| &from.path).chain([path]));
        let sources: Vec<ObjectId> = paths.filter_map(|path| opened.files.get(path).copied()).collect();
        remote.fetch_blobs(snapshot, &sources)?;
    }
    let before = snapshot.as_ref().map(Snapshot::tree);
    let (mut new, mut written, mut notes) = (None::<NewCommit>, BTreeSet::new(), Vec::new());
    let mut ids = Vec::new();
    for (edits, description) in steps {
        let (changes, large) = changes(remote, opened, snapshot.as_mut(), edits, is_forced)?;
        for note in edits.notes.clone().into_iter().chain(large) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        if let Some(commit) = NewCommit::new(snapshot.as_ref(), &changes, description)? {
            ids.push(commit.id);
            if let Some(snapshot) = &mut snapshot {
                snapshot.advance(&commit);
            }
            new = Some(match new {
                Some(parent) => commit.after(parent),
                None => commit,
            });
        }
        written.extend(changes.into_keys());
    }
    let files = |files: &BTreeMap<String, ObjectId>| -> BTreeMap<String, ObjectId> {
        written.iter().filter_map(|path| Some((path.clone(), *files.get(path)?))).collect()
    };
    let found = snapshot.as_ref().map(|snapshot| (files(&snapshot.files), Some(snapshot.tree())));
    let Some(commit) = new.filter(|_| found.as_ref().is_none_or(|(_, tree)| *tree != before)) else {
        let pushed = |(commit, (files, _))| Pushed { commit, files, refused: None, notes: None };
        return Ok(branch.commit.zip(found).map(pushed));
    };
    let refused = match (remote.push(branch, &commit), other) {
        (Err(GitError::Rejected { reason }), Some(other)) => {
            // If the server also refuses this push, the first reason is more helpful.
            push_to(remote, other, &commit).map_err(|_| GitError::Rejected { reason: reason.clone() })?;
            Some(reason)
        }
        (pushed, _) => pushed.map(|()| None)?,
    };
    let notes = earlier(&ids).into_iter().chain(notes).reduce(|one, other| format!("{one} {other}"));
    let files = found.map_or(commit.files, |(files, _)| files);
    Ok(Some(Pushed { commit: commit.id, files, refused, notes }))
}

/// Returns a sentence for users about the commits of a push before the last one.
fn earlier(ids: &[ObjectId]) -> Option<String> {
    let (_, earlier) = ids.split_last()?;
    let mut names: Vec<String> = earlier.iter().map(|id| id.to_hex_with_len(SHORT_ID).to_string()).collect();
    let mut before = names.pop()?;
    if !names.is_empty() {
        before = format!("{} and {before}", names.join(", "));
    }
    Some(format!("It is the last of {} commits, after {before}.", ids.len()))
}

/// Returns the changed texts of a commit.
fn texts(edits: &Edits) -> impl Iterator<Item = (&String, &Printed)> {
    edits.texts.iter().chain(edits.summary.iter().map(|(path, printed)| (path, printed)))
}

/// Returns the changed files of a commit that follows a snapshot, and a sentence for users about large files. Without a
/// snapshot, the repository is empty.
fn changes(
    remote: &Remote,
    opened: &Opened,
    snapshot: Option<&mut Snapshot>,
    edits: &Edits,
    is_forced: bool,
) -> std::result::Result<(Changes, Option<String>), GitError> {
    let files = snapshot.as_ref().map_or(&opened.files, |snapshot| &snapshot.files);
    let mut changes: Changes =
        edits.files.iter().map(|(path, bytes)| (path.clone(), Some(bytes.to_vec()))).collect();
    for (path, printed) in texts(edits) {
        // A file that is at its new path alone may come from an export whose end was not recorded.
        let from = printed.from.as_ref().and_then(|from| Some((from, files.get(&from.path)?)));
        if let Some((Source { path, expected }, found)) = from
            && !is_forced
            && *expected != Some(found.to_string())
        {
            return Err(GitError::Diverged { path: path.clone() });
        }
        let source = source(snapshot.as_deref(), from.map(|(_, found)| found).or_else(|| files.get(path)))?;
        let is_summary = edits.summary.as_ref().is_some_and(|(summary, _)| summary == path);
        let text = merged(edits, path, printed, source.as_deref(), is_summary);
        // A file that was removed in the repository is written again. A file that already has the new text may come
        // from an export whose end was not recorded.
        let is_known = files.get(path).is_none_or(|found| printed.expected == Some(found.to_string()));
        if !is_known && !is_summary && !is_forced && source.as_ref() != Some(&text) {
            return Err(GitError::Diverged { path: path.clone() });
        }
        changes.insert(path.clone(), Some(text.into_bytes()));
    }
    for (path, oid) in &edits.removed {
        if files.get(path).is_some_and(|found| {
            is_forced || ObjectId::from_hex(oid.as_bytes()).is_ok_and(|oid| oid == *found)
        }) {
            changes.insert(path.clone(), None);
        }
    }
    let is_there = |path: &String| files.contains_key(path) || opened.links.contains(path);
    for path in edits.instructions.iter().filter(|path| !is_there(path)) {
        changes.insert(path.clone(), Some(agents::TEXT.into()));
    }
    let large = match snapshot {
        Some(snapshot) => large::store(remote, snapshot, opened, edits, &mut changes)?,
        None => None,
    };
    Ok((changes, large))
}

/// Pushes new commits to a branch of Quire, which then has them in addition to the commits of the connected branch.
pub(in super::super) fn push_to(
    remote: &Remote,
    branch: &str,
    commit: &NewCommit,
) -> std::result::Result<(), GitError> {
    let there = match remote.find_ref(Some(branch)) {
        Err(GitError::NoSuchRef { name }) => RemoteRef { name, commit: None },
        found => found?,
    };
    match there.commit == Some(commit.id) {
        true => Ok(()),
        false => remote.push(&there, commit),
    }
}

/// Returns the text of a file of the repository. `None` if it does not exist or is not UTF-8.
fn source(
    snapshot: Option<&Snapshot>,
    id: Option<&ObjectId>,
) -> std::result::Result<Option<String>, GitError> {
    let Some((snapshot, id)) = snapshot.zip(id) else { return Ok(None) };
    Ok(String::from_utf8(snapshot.blob(id)?).ok())
}

/// Returns the new text of a file: a merge with its text in the repository, provided that the result is read as the
/// same page.
fn merged(edits: &Edits, path: &str, printed: &Printed, source: Option<&str>, is_summary: bool) -> String {
    let Printed { base, new, from, .. } = printed;
    let Some((source, base)) = source.zip(base.as_ref()) else { return new.clone() };
    let merged = match base == new {
        true => Merged { text: source.to_owned(), has_conflicts: false },
        false => merge(source, base, new),
    };
    let is_same = match is_summary {
        true => !merged.has_conflicts,
        false => {
            let former = from.as_ref().map_or(path, |from| &from.path);
            edits.is_same_page((former, path), (source, base), (&merged.text, new))
        }
    };
    if is_same { merged.text } else { new.clone() }
}
