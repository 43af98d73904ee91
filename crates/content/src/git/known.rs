//! Parts of a repository that are known before a run.

use std::collections::HashMap;
use std::sync::Arc;

use quire_domain::git_installations::GitAgent;
use quire_git::ObjectId;
use quire_revision::{BlobHash, GitBlob, Tree};

use super::texts::Texts;

/// Extensions of files that are read before it is known which other files they use.
const TEXTS: [&str; 10] = ["md", "markdown", "mdown", "mkd", "mdx", "html", "htm", "xhtml", "yaml", "yml"];

/// Hashes of the bytes of files in the content, by the paths and object ids of their files in the repository.
pub(super) type KnownFiles = HashMap<GitFile, BlobHash>;

/// Path and object id of a file.
pub(super) type GitFile = (String, String);

/// Parts of the repository that a run knows.
pub(super) struct Known {
    /// The commit that was imported last.
    pub(super) commit: Option<ObjectId>,
    /// True if that commit is imported again.
    pub(super) repeats: bool,
    pub(super) files: KnownFiles,
    /// The texts that were read last.
    pub(super) texts: Arc<Texts>,
    /// The content as last synchronized, if what it has in common with the repository stays.
    pub(super) last: Option<Tree>,
    /// Programs whose files with instructions are no pages.
    pub(super) agents: Vec<GitAgent>,
}

impl Known {
    /// Returns whether the bytes of a file are in the content.
    pub(super) fn has(&self, git: &GitBlob) -> bool {
        self.files.contains_key(&(git.path.clone(), git.oid.clone()))
    }
}

/// Returns the files of content that came from a repository.
pub(super) fn known_files(tree: &Tree) -> KnownFiles {
    let known = tree.files().filter_map(|file| {
        let git = file.git.as_ref()?;
        Some(((git.path.clone(), git.oid.clone()), file.blob))
    });
    known.collect()
}

/// Returns whether a file is read before it is known which other files are used.
pub(super) fn is_text(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| TEXTS.contains(&extension.as_str()))
}
