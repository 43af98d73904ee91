//! Parts of a repository that a run knows in advance.

use std::collections::HashMap;
use std::sync::Arc;

use quire_domain::git_installations::GitAgent;
use quire_git::ObjectId;
use quire_revision::{BlobHash, GitBlob, Tree};

use super::texts::Texts;

/// Extensions of files that are read in any case, because they determine which other files are used.
const TEXTS: [&str; 10] = ["md", "markdown", "mdown", "mkd", "mdx", "html", "htm", "xhtml", "yaml", "yml"];

/// Hashes of files in the content, by their path and object id in the repository.
pub(super) type KnownFiles = HashMap<GitFile, BlobHash>;

/// Path and object id of a file.
pub(super) type GitFile = (String, String);

/// Parts of the repository that a run knows in advance.
pub(super) struct Known {
    /// Commit of the last import.
    pub(super) commit: Option<ObjectId>,
    /// True if this commit is imported again.
    pub(super) repeats: bool,
    /// True if the run has a log entry, which says that the history was rewritten, and a revision that lists commits.
    pub(super) has_log: bool,
    pub(super) files: KnownFiles,
    /// Object ids of the files of pages in the content, by path in the repository.
    pub(super) pages: HashMap<String, String>,
    /// Texts of the last run.
    pub(super) texts: Arc<Texts>,
    /// Content at the last synchronization, if the run keeps what it has in common with the repository.
    pub(super) last: Option<Tree>,
    /// True if a repository without pages changes nothing, because the content had none either when both were last the
    /// same, or has none before the first synchronization.
    pub(super) may_be_empty: bool,
    /// Agents whose instruction files are not pages.
    pub(super) agents: Vec<GitAgent>,
}

impl Known {
    /// Returns whether the bytes of a file are in the content.
    pub(super) fn has(&self, git: &GitBlob) -> bool {
        self.files.contains_key(&(git.path.clone(), git.oid.clone()))
    }
}

/// Returns whether content has neither pages nor anything else.
pub(super) fn is_empty(tree: &Tree) -> bool {
    tree.pages().next().is_none()
        && tree.files().next().is_none()
        && tree.reusable_contents().next().is_none()
}

/// Returns the files of content that came from a repository.
pub(super) fn known_files(tree: &Tree) -> KnownFiles {
    let known = tree.files().filter_map(|file| {
        let git = file.git.as_ref()?;
        Some(((git.path.clone(), git.oid.clone()), file.blob))
    });
    known.collect()
}

/// Returns the object ids of the files of pages, by path in the repository.
pub(super) fn page_files(tree: &Tree) -> HashMap<String, String> {
    let files = tree.pages().filter_map(|page| page.git.as_ref());
    files.map(|git| (git.path.clone(), git.oid.clone())).collect()
}

/// Returns whether a file is read in any case, because it determines which other files are used.
pub(super) fn is_text(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| TEXTS.contains(&extension.as_str()))
}
