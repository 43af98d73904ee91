//! Files of a commit, fetched as far as an import needs them.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use quire_domain::CountingIds;
use quire_domain::imports::{ImportReportEntry, ImportSource, ImportStatus};
use quire_git::{GitError, ObjectId, Remote, RemoteRef, Snapshot};
use quire_importer::plan::{NewIds, plan};
use quire_importer::spool::Spool;
use quire_importer::tree::SourceTree;
use quire_revision::{BlobHash, GitBlob, Tree};

/// Extensions of files that are read before it is known which other files they use.
const TEXTS: [&str; 10] = ["md", "markdown", "mdown", "mkd", "mdx", "html", "htm", "xhtml", "yaml", "yml"];

/// Hashes of the bytes of files in the content, by the paths and object ids of their files in the repository.
pub(super) type KnownFiles = HashMap<GitFile, BlobHash>;

/// Path and object id of a file.
pub(super) type GitFile = (String, String);

/// A commit with the files that an import needs.
pub(super) struct Gathered {
    /// Full name of the branch or tag.
    pub(super) reference: String,
    pub(super) commit: ObjectId,
    /// The files below the folder. Those whose bytes are known or not needed are empty.
    pub(super) tree: SourceTree,
    /// Location of all files in the repository, by their paths below the folder.
    pub(super) files: HashMap<String, GitBlob>,
    /// Hashes of files whose bytes are known, by their paths below the folder.
    pub(super) known: HashMap<String, BlobHash>,
}

/// Returns the files of content that came from a repository.
pub(super) fn known_files(tree: &Tree) -> KnownFiles {
    let known = tree.files().filter_map(|file| {
        let git = file.git.as_ref()?;
        Some(((git.path.clone(), git.oid.clone()), file.blob))
    });
    known.collect()
}

/// Fetches a branch or tag; `None` if it is at the commit `last`.
pub(super) fn gather(
    remote: &Remote,
    reference: Option<&str>,
    folder: &str,
    last: Option<&str>,
    known: &KnownFiles,
) -> Result<Option<Gathered>, GitError> {
    let RemoteRef { name, commit } = remote.find_ref(reference)?;
    // An empty repository never empties a space.
    let commit = commit.ok_or_else(|| GitError::NoSuchRef { name: name.clone() })?;
    if last.and_then(|last| ObjectId::from_hex(last.as_bytes()).ok()) == Some(commit) {
        return Ok(None);
    }
    let mut snapshot = remote.fetch(commit)?;
    let mut tree = SourceTree::default();
    tree.report.extend(snapshot.skipped.iter().map(|skipped| ImportReportEntry {
        path: skipped.path.clone(),
        status: ImportStatus::Skipped,
        message: skipped.reason.to_owned(),
    }));
    let (mut files, mut ids) = (HashMap::new(), HashMap::new());
    for (path, id) in &snapshot.files {
        let Some(inside) = path.strip_prefix(folder) else { continue };
        let Some(admitted) = tree.admit(inside) else { continue };
        tree.files.insert(admitted.clone(), Bytes::new().into());
        files.insert(admitted.clone(), GitBlob { oid: id.to_string(), path: path.clone() });
        ids.insert(admitted, *id);
    }
    let mut spool = Spool::default();
    let texts: Vec<&String> = ids.keys().filter(|path| is_text(path)).collect();
    read(
        remote,
        &mut snapshot,
        &mut tree,
        &mut spool,
        texts.into_iter().filter_map(|path| Some((path, ids.get(path)?))),
    )?;
    let is_known = |path: &str| {
        let git: &GitBlob = files.get(path)?;
        known.get(&(git.path.clone(), git.oid.clone())).copied()
    };
    let used = used_files(&tree);
    let known = used.iter().filter_map(|path| Some((path.clone(), is_known(path)?))).collect();
    let missing = used.iter().filter(|path| is_known(path).is_none());
    let missing = missing.filter_map(|path| Some((path, ids.get(path)?)));
    read(remote, &mut snapshot, &mut tree, &mut spool, missing)?;
    Ok(Some(Gathered { reference: name, commit, tree, files, known }))
}

fn is_text(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| TEXTS.contains(&extension.as_str()))
}

/// Returns the files that a plan of the texts stores or reads. A tree that cannot be planned uses none: the import
/// itself reports the reason.
fn used_files(tree: &SourceTree) -> HashSet<String> {
    let ids = CountingIds::default();
    let plan = plan(ImportSource::Gitbook, tree.clone(), &mut NewIds(&ids));
    plan.map(|plan| plan.files.into_iter().map(|file| file.source_path).collect()).unwrap_or_default()
}

/// Reads files into the tree.
fn read<'p>(
    remote: &Remote,
    snapshot: &mut Snapshot,
    tree: &mut SourceTree,
    spool: &mut Spool,
    files: impl Iterator<Item = (&'p String, &'p ObjectId)>,
) -> Result<(), GitError> {
    let files: Vec<(&String, &ObjectId)> = files.collect();
    let ids: Vec<ObjectId> = files.iter().map(|(_, id)| **id).collect();
    remote.fetch_blobs(snapshot, &ids)?;
    for (path, id) in files {
        tree.files.insert(path.clone(), spool.keep(&snapshot.blob(id)?));
    }
    Ok(())
}
