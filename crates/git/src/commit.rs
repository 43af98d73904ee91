//! New commits. They contain only the objects that their changes need.

use std::collections::{BTreeMap, HashSet};
use std::fmt::{self, Write as _};
use std::io::Cursor;

use gix_hash::{Kind, ObjectId};
use gix_object::tree::{Entry, EntryKind};
use gix_object::{Data, Tree, TreeRef, WriteTo as _};
use gix_pack::data::Version;
use gix_pack::data::input::{EntriesToBytesIter, Entry as PackEntry};
use gix_zlib::Compression;

use crate::error::GitError;
use crate::store::{NewObject, Store, id_of};
use crate::trees::{Snapshot, is_usable};

/// Author or committer of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
}

/// Formats a signature as in commits and their trailers.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} <{}>", clean(&self.name), clean(&self.email))
    }
}

/// Metadata of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// Author of the changes.
    pub author: Signature,
    /// Creator of the commit.
    pub committer: Signature,
    /// Time in seconds since the Unix epoch.
    pub seconds: i64,
    /// Commit message.
    pub message: String,
}

/// New bytes of files by path. `None` removes a file.
pub type Changes = BTreeMap<String, Option<Vec<u8>>>;

/// Commit that is not pushed yet.
#[derive(Debug)]
pub struct NewCommit {
    /// Commit id.
    pub id: ObjectId,
    /// Ids of the written files by path.
    pub files: BTreeMap<String, ObjectId>,
    /// Paths of the removed files.
    removed: Vec<String>,
    tree: ObjectId,
    objects: Vec<NewObject>,
}

/// Changes of tree entries by path: the id of a blob, or `None` to remove the entry.
type Edits<'p> = BTreeMap<&'p str, Option<ObjectId>>;

impl NewCommit {
    /// Returns a commit of changes to a snapshot, or the first commit of a repository. Returns `None` if nothing
    /// changes. Writes only trees on the paths of changes, so all other entries are preserved.
    ///
    /// # Errors
    /// [`GitError::Occupied`] if a path has an entry of another kind. [`GitError::Missing`] for a missing tree.
    pub fn new(
        base: Option<&Snapshot>,
        changes: &Changes,
        description: &Description,
    ) -> Result<Option<Self>, GitError> {
        let mut writer =
            Writer { store: base.map(|base| &base.store), known: HashSet::new(), objects: Vec::new() };
        let (mut edits, mut files, mut removed) = (Edits::new(), BTreeMap::new(), Vec::new());
        for (path, bytes) in changes {
            if !path.split('/').all(is_usable) {
                return Err(GitError::Occupied { path: path.clone() });
            }
            let id = bytes.as_ref().map(|bytes| writer.blob(bytes)).transpose()?;
            match id {
                Some(id) => drop(files.insert(path.clone(), id)),
                None => removed.push(path.clone()),
            }
            edits.insert(path, id);
        }
        let old = base.map(|base| base.tree);
        let tree = match writer.tree(old.as_ref(), "", &edits)? {
            Some(tree) => tree,
            // A commit without files has an empty tree.
            None => writer.add(gix_object::Kind::Tree, Vec::new())?,
        };
        if old == Some(tree) || (old.is_none() && files.is_empty()) {
            return Ok(None);
        }
        let commit = text(base.map(|base| base.commit), tree, description);
        let id = writer.add(gix_object::Kind::Commit, commit.into_bytes())?;
        Ok(Some(Self { id, files, removed, tree, objects: writer.objects }))
    }

    /// Adds the objects of the commit's parent, which is not pushed yet. A push then sends both commits.
    #[must_use]
    pub fn after(self, mut parent: Self) -> Self {
        parent.objects.extend(self.objects);
        Self { objects: parent.objects, ..self }
    }

    /// Returns a pack of the new objects.
    pub(crate) fn pack(&self) -> Result<Vec<u8>, GitError> {
        let entries = self.objects.iter().map(|NewObject { kind, bytes, .. }| {
            let data = Data { kind: *kind, data: bytes, object_hash: Kind::Sha1 };
            PackEntry::from_data_obj(&data, 0, Compression::BEST_SPEED)
        });
        let mut pack = Cursor::new(Vec::new());
        for entry in EntriesToBytesIter::new(entries, &mut pack, Version::V2, Kind::Sha1) {
            entry.map_err(|error| GitError::unreadable(&error))?;
        }
        Ok(pack.into_inner())
    }
}

impl Snapshot {
    /// Makes a new commit of changes to this snapshot the commit of the snapshot. Another commit can then follow it
    /// before it is pushed.
    pub fn advance(&mut self, commit: &NewCommit) {
        self.files.extend(commit.files.iter().map(|(path, id)| (path.clone(), *id)));
        for path in &commit.removed {
            self.files.remove(path);
        }
        self.store.add_new(&commit.objects);
        (self.commit, self.tree) = (commit.id, commit.tree);
    }

    /// Returns the id of the tree, which commits with the same files have.
    #[must_use]
    pub fn tree(&self) -> ObjectId {
        self.tree
    }
}

fn text(parent: Option<ObjectId>, tree: ObjectId, description: &Description) -> String {
    let Description { author, committer, seconds, message } = description;
    let mut text = format!("tree {tree}\n");
    if let Some(parent) = parent {
        let _ = writeln!(text, "parent {parent}");
    }
    for (role, signature) in [("author", author), ("committer", committer)] {
        let _ = writeln!(text, "{role} {signature} {seconds} +0000");
    }
    let _ = write!(text, "\n{}\n", message.replace('\0', "").trim_end());
    text
}

/// Returns a name or address without characters that would terminate it in a commit.
fn clean(text: &str) -> String {
    let kept = text.chars().filter(|c| !matches!(c, '<' | '>') && !c.is_control()).collect::<String>();
    match kept.trim() {
        "" => "unknown".to_owned(),
        kept => kept.to_owned(),
    }
}

struct Writer<'s> {
    store: Option<&'s Store>,
    known: HashSet<ObjectId>,
    objects: Vec<NewObject>,
}

impl Writer<'_> {
    fn blob(&mut self, bytes: &[u8]) -> Result<ObjectId, GitError> {
        let id = id_of(gix_object::Kind::Blob, bytes)?;
        self.keep(id, gix_object::Kind::Blob, || bytes.to_vec());
        Ok(id)
    }

    fn add(&mut self, kind: gix_object::Kind, bytes: Vec<u8>) -> Result<ObjectId, GitError> {
        let id = id_of(kind, &bytes)?;
        self.keep(id, kind, || bytes);
        Ok(id)
    }

    /// Adds an object unless the repository has it.
    fn keep(&mut self, id: ObjectId, kind: gix_object::Kind, bytes: impl FnOnce() -> Vec<u8>) {
        if !self.store.is_some_and(|store| store.has(&id)) && self.known.insert(id) {
            self.objects.push(NewObject { id, kind, bytes: bytes().into() });
        }
    }

    /// Writes a tree with edits of paths below it. Returns `None` if it becomes empty, because Git stores no empty
    /// folders.
    fn tree(
        &mut self,
        old: Option<&ObjectId>,
        prefix: &str,
        edits: &Edits<'_>,
    ) -> Result<Option<ObjectId>, GitError> {
        let mut entries = self.entries(old)?;
        let mut folders: BTreeMap<&str, Edits<'_>> = BTreeMap::new();
        for (path, id) in edits {
            match path.split_once('/') {
                Some((folder, rest)) => {
                    folders.entry(folder).or_default().insert(rest, *id);
                }
                None => edit_file(&mut entries, prefix, path, *id)?,
            }
        }
        for (folder, edits) in folders {
            let at = entries.iter().position(|entry| entry.filename == folder);
            let old = at.and_then(|at| entries.get(at)).map(|entry| (entry.mode.is_tree(), entry.oid));
            let is_added = edits.values().any(Option::is_some);
            let old = match old {
                Some((false, _)) if is_added => {
                    return Err(GitError::Occupied { path: format!("{prefix}{folder}") });
                }
                // The folder of the removed file does not exist.
                Some((false, _)) => continue,
                Some((true, id)) => Some(id),
                None if is_added => None,
                None => continue,
            };
            let new = self.tree(old.as_ref(), &format!("{prefix}{folder}/"), &edits)?;
            if let Some(at) = at {
                entries.remove(at);
            }
            entries.extend(new.map(|oid| Entry {
                mode: EntryKind::Tree.into(),
                filename: folder.into(),
                oid,
            }));
        }
        if entries.is_empty() {
            return Ok(None);
        }
        entries.sort();
        let mut bytes = Vec::new();
        Tree { entries }.write_to(&mut bytes).map_err(|error| GitError::unreadable(&error))?;
        self.add(gix_object::Kind::Tree, bytes).map(Some)
    }

    fn entries(&self, tree: Option<&ObjectId>) -> Result<Vec<Entry>, GitError> {
        let (Some(tree), Some(store)) = (tree, self.store) else { return Ok(Vec::new()) };
        let bytes = store.get(tree, gix_object::Kind::Tree)?;
        let tree = TreeRef::from_bytes(&bytes, Kind::Sha1).map_err(|error| GitError::unreadable(&error))?;
        Ok(tree.entries.into_iter().map(Entry::from).collect())
    }
}

/// Sets or removes a file of a folder. An existing file keeps its mode.
fn edit_file(
    entries: &mut Vec<Entry>,
    prefix: &str,
    name: &str,
    id: Option<ObjectId>,
) -> Result<(), GitError> {
    let at = entries.iter().position(|entry| entry.filename == name);
    let is_file = |entry: &Entry| matches!(entry.mode.kind(), EntryKind::Blob | EntryKind::BlobExecutable);
    match (at.and_then(|at| entries.get_mut(at)), id) {
        (Some(entry), Some(id)) if is_file(entry) => entry.oid = id,
        (Some(entry), None) if is_file(entry) => entries.retain(|entry| entry.filename != name),
        (Some(_), Some(_)) => return Err(GitError::Occupied { path: format!("{prefix}{name}") }),
        (None, Some(oid)) => {
            entries.push(Entry { mode: EntryKind::Blob.into(), filename: name.into(), oid });
        }
        (_, None) => {}
    }
    Ok(())
}
