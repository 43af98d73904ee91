//! Files of a commit, read from its trees without a checkout.

use std::collections::{BTreeMap, BTreeSet};

use gix_hash::{Kind, ObjectId};
use gix_object::tree::EntryKind;
use gix_object::{CommitRef, TreeRefIter};

use crate::error::{GitError, shown};
use crate::limits::{Limits, Usage};
use crate::listed::ListedCommit;
use crate::store::Store;

/// Commit with its files.
pub struct Snapshot {
    /// The commit.
    pub commit: ObjectId,
    /// Ids of the files by path.
    pub files: BTreeMap<String, ObjectId>,
    /// Paths of symbolic links and submodules.
    pub links: BTreeSet<String>,
    /// Entries that are not files, and files with unusable names.
    pub skipped: Vec<Skipped>,
    /// Message, people and parents of the fetched commit.
    pub listed: ListedCommit,
    pub(crate) tree: ObjectId,
    pub(crate) store: Store,
}

/// Entry of a tree that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Path, shortened and on one line.
    pub path: String,
    /// The reason.
    pub reason: &'static str,
}

impl Snapshot {
    pub(crate) fn read(commit: ObjectId, store: Store, usage: &Usage) -> Result<Self, GitError> {
        let bytes = store.get(&commit, gix_object::Kind::Commit)?;
        let parsed =
            CommitRef::from_bytes(&bytes, Kind::Sha1).map_err(|error| GitError::unreadable(&error))?;
        let tree = parsed.tree();
        let mut walk = Walk {
            store: &store,
            usage,
            files: BTreeMap::new(),
            links: BTreeSet::new(),
            folders: 0,
            skipped: Vec::new(),
        };
        walk.folder(&tree, "", 0)?;
        let Walk { files, links, skipped, .. } = walk;
        let listed = ListedCommit::of(commit, &parsed);
        Ok(Self { commit, files, links, skipped, listed, tree, store })
    }

    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// [`GitError::Missing`] if it was not fetched.
    pub fn blob(&self, id: &ObjectId) -> Result<Vec<u8>, GitError> {
        self.store.get(id, gix_object::Kind::Blob)
    }
}

struct Walk<'w> {
    store: &'w Store,
    usage: &'w Usage,
    files: BTreeMap<String, ObjectId>,
    links: BTreeSet<String>,
    folders: usize,
    skipped: Vec<Skipped>,
}

impl Walk<'_> {
    fn folder(&mut self, tree: &ObjectId, prefix: &str, depth: usize) -> Result<(), GitError> {
        let Limits { depth: max_depth, folders, files, .. } = self.usage.limits;
        self.usage.check()?;
        self.folders = self.folders.saturating_add(1);
        exceeds("the folders", self.folders, folders)?;
        let bytes = self.store.get(tree, gix_object::Kind::Tree)?;
        for entry in TreeRefIter::from_bytes(&bytes, Kind::Sha1) {
            let entry = entry.map_err(|error| GitError::unreadable(&error))?;
            let path = match std::str::from_utf8(entry.filename) {
                Ok(name) if is_usable(name) => format!("{prefix}{name}"),
                _ => {
                    let name = String::from_utf8_lossy(entry.filename);
                    self.skip(&format!("{prefix}{name}"), "its name cannot be used")?;
                    continue;
                }
            };
            if path.len() > self.usage.limits.path_bytes {
                self.skip(&path, "its path is too long")?;
                continue;
            }
            match entry.mode.kind() {
                EntryKind::Tree if depth >= max_depth => {
                    self.skip(&format!("{path}/"), "it is in too many folders")?;
                }
                EntryKind::Tree => {
                    self.folder(&entry.oid.to_owned(), &format!("{path}/"), depth.saturating_add(1))?;
                }
                EntryKind::Blob | EntryKind::BlobExecutable => {
                    self.files.insert(path, entry.oid.to_owned());
                    exceeds("the files", self.files.len(), files)?;
                }
                kind @ (EntryKind::Link | EntryKind::Commit) => {
                    let is_link = kind == EntryKind::Link;
                    self.skip(&path, if is_link { "it is a symbolic link" } else { "it is a submodule" })?;
                    self.links.insert(path);
                }
            }
        }
        Ok(())
    }

    fn skip(&mut self, path: &str, reason: &'static str) -> Result<(), GitError> {
        self.skipped.push(Skipped { path: shown(path), reason });
        exceeds("the files", self.skipped.len(), self.usage.limits.files)
    }
}

fn exceeds(what: &'static str, count: usize, limit: usize) -> Result<(), GitError> {
    match count > limit {
        true => Err(GitError::TooLarge { what, limit: u64::try_from(limit).unwrap_or(u64::MAX) }),
        false => Ok(()),
    }
}

/// Returns whether a name is a valid name of a file or folder on all systems.
pub(crate) fn is_usable(name: &str) -> bool {
    !matches!(name, "" | "." | "..")
        && !name.eq_ignore_ascii_case(".git")
        && !name.contains(|c: char| matches!(c, '/' | '\\') || c.is_control())
}
