//! Files that the repository stores in Git LFS.

use bytes::Bytes;
use quire_git::{Changes, GitError, LfsPointer, ObjectId, Remote, Snapshot};

use super::super::gather::listed;
use super::edits::Edits;
use super::open::Opened;

/// Uploads changed files that belong into Git LFS, and replaces them by pointers. An unchanged pointer keeps its bytes.
/// If the server does not support Git LFS, commits the files themselves and returns a sentence about it.
pub(super) fn store(
    remote: &Remote,
    snapshot: &mut Snapshot,
    opened: &Opened,
    edits: &Edits,
    changes: &mut Changes,
) -> std::result::Result<Option<String>, GitError> {
    // A pointer whose bytes were never found is ordinary content.
    let files = edits.files.iter().filter(|(_, bytes)| LfsPointer::parse(bytes).is_none());
    let large = remote.large_paths(snapshot, files.map(|(path, _)| path.as_str()))?;
    let found: Vec<(&str, &Bytes)> =
        large.into_iter().filter_map(|path| Some((path, edits.files.get(path)?))).collect();
    if found.is_empty() {
        return Ok(None);
    }
    let known: Vec<ObjectId> =
        found.iter().filter_map(|(path, _)| opened.files.get(*path).copied()).collect();
    remote.fetch_blobs(snapshot, &known)?;
    let files: Vec<(LfsPointer, Bytes)> =
        found.iter().map(|(_, bytes)| (LfsPointer::of(bytes), (*bytes).clone())).collect();
    match remote.store_large(&files) {
        Ok(()) => {}
        Err(GitError::NotFound | GitError::Failed { status: 405 | 501 }) => {
            let paths: Vec<&str> = found.iter().map(|(path, _)| *path).collect();
            let paths = listed(&paths);
            return Ok(Some(format!(
                "Large files are stored in the repository itself (the server has no Git LFS): {paths}."
            )));
        }
        Err(error) => return Err(error),
    }
    for ((path, _), (pointer, _)) in found.into_iter().zip(files) {
        let former = opened.files.get(path).map(|id| snapshot.blob(id)).transpose()?;
        let former = former.filter(|bytes| LfsPointer::parse(bytes).as_ref() == Some(&pointer));
        changes.insert(path.to_owned(), Some(former.unwrap_or_else(|| pointer.text().into_bytes())));
    }
    Ok(None)
}
