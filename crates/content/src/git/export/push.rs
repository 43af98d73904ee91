//! Commits and pushes of changes. Each changed text is merged with its file in the repository.

use std::collections::BTreeMap;

use quire_git::{Changes, Description, GitError, NewCommit, ObjectId, Remote, RemoteRef, Snapshot};

use super::super::agents;
use super::super::merge::merge;
use super::edits::{Edits, Printed};
use super::large;
use super::open::Opened;

/// Outcome of a push.
pub(super) struct Pushed {
    pub(super) commit: ObjectId,
    /// Object ids of the written files by path.
    pub(super) files: BTreeMap<String, ObjectId>,
    /// Reason why the server refused the commit on the connected branch, if it is on the other branch.
    pub(super) refused: Option<String>,
    /// Sentence for users about files that the server could not store as intended.
    pub(super) notes: Option<String>,
}

/// Commits and pushes edits. Returns `None` if the repository already has them. If the server refuses the commit on the
/// connected branch, pushes it to the branch `other`, if given.
pub(super) fn push(
    remote: &Remote,
    opened: &Opened,
    edits: &Edits,
    (description, other): (&Description, Option<&str>),
    is_forced: bool,
) -> std::result::Result<Option<Pushed>, GitError> {
    let Opened { branch, files, .. } = opened;
    let mut snapshot = branch.commit.map(|commit| remote.fetch(commit)).transpose()?;
    let mut changes: Changes =
        edits.files.iter().map(|(path, bytes)| (path.clone(), Some(bytes.to_vec()))).collect();
    let summary = edits.summary.iter().map(|(path, printed)| (path, printed));
    let texts: Vec<(&String, &Printed)> = edits.texts.iter().chain(summary).collect();
    if let Some(snapshot) = &mut snapshot {
        let sources: Vec<ObjectId> = texts.iter().filter_map(|(path, _)| files.get(*path).copied()).collect();
        remote.fetch_blobs(snapshot, &sources)?;
    }
    for (path, printed) in texts {
        let source = source(snapshot.as_ref(), files.get(path))?;
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
    let large = match &mut snapshot {
        Some(snapshot) => large::store(remote, snapshot, opened, edits, &mut changes)?,
        None => None,
    };
    let notes = edits.notes.clone().into_iter().chain(large);
    let notes = notes.reduce(|one, other| format!("{one} {other}"));
    let written = NewCommit::new(snapshot.as_ref(), &changes, description)?;
    let Some(commit) = written else {
        let pushed = |commit| Pushed { commit, files: ids_of(&changes, files), refused: None, notes: None };
        return Ok(branch.commit.map(pushed));
    };
    let refused = match (remote.push(branch, &commit), other) {
        (Err(GitError::Rejected { reason }), Some(other)) => {
            // Without any right to push, the first reason is more helpful.
            push_to(remote, other, &commit).map_err(|_| GitError::Rejected { reason: reason.clone() })?;
            Some(reason)
        }
        (pushed, _) => pushed.map(|()| None)?,
    };
    Ok(Some(Pushed { commit: commit.id, files: commit.files, refused, notes }))
}

/// Pushes a commit to a branch of Quire, which then has this one commit in addition to its parent.
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

/// Returns the object ids of changed files that the repository already has.
fn ids_of(changes: &Changes, files: &BTreeMap<String, ObjectId>) -> BTreeMap<String, ObjectId> {
    changes.keys().filter_map(|path| Some((path.clone(), *files.get(path)?))).collect()
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
    let Printed { base, new, .. } = printed;
    let Some((source, base)) = source.zip(base.as_ref()) else { return new.clone() };
    let merged = merge(source, base, new);
    let is_same = match is_summary {
        true => !merged.has_conflicts,
        false => edits.is_same_page(path, (source, base), (&merged.text, new)),
    };
    if is_same { merged.text } else { new.clone() }
}
