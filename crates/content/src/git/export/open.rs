//! Files of a branch.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use quire_domain::imports::ImportSource;
use quire_git::{GitError, ObjectId, Remote, RemoteRef};
use quire_importer::plan::{ContentLocation, content_location};
use quire_importer::spool::Spool;
use quire_importer::tree::SourceTree;

/// Settings files of a repository, which name the folder of the content.
const SETTINGS: [&str; 2] = [".gitbook.yaml", ".gitbook.yml"];

/// Repository before the content is read.
pub(in super::super) struct Opened {
    pub(in super::super) branch: RemoteRef,
    /// Object ids by path.
    pub(in super::super) files: BTreeMap<String, ObjectId>,
    /// Paths of symbolic links and submodules.
    pub(in super::super) links: BTreeSet<String>,
    pub(in super::super) location: ContentLocation,
}

/// Reads the files of the branch, and the location of its content.
pub(in super::super) fn open(
    remote: &Remote,
    reference: Option<&str>,
    folder: &str,
) -> std::result::Result<Opened, GitError> {
    let branch = remote.find_ref(reference)?;
    let Some(commit) = branch.commit else {
        let (files, links, location) = Default::default();
        return Ok(Opened { branch, files, links, location });
    };
    let mut snapshot = remote.fetch(commit)?;
    let mut tree = SourceTree::default();
    let (mut settings, mut spool) = (Vec::new(), Spool::default());
    for (path, id) in &snapshot.files {
        let Some(inside) = path.strip_prefix(folder) else { continue };
        let Some(admitted) = tree.admit(inside) else { continue };
        if SETTINGS.contains(&admitted.as_str()) {
            settings.push((admitted.clone(), *id));
        }
        tree.files.insert(admitted, Bytes::new().into());
    }
    let ids: Vec<ObjectId> = settings.iter().map(|(_, id)| *id).collect();
    remote.fetch_blobs(&mut snapshot, &ids)?;
    for (path, id) in settings {
        tree.files.insert(path, spool.keep(&snapshot.blob(&id)?));
    }
    let location = content_location(ImportSource::Gitbook, &tree);
    let (files, links) = (std::mem::take(&mut snapshot.files), std::mem::take(&mut snapshot.links));
    Ok(Opened { branch, files, links, location })
}
