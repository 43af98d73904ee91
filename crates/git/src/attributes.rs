//! Attributes of files in `.gitattributes` that select files for Git LFS.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gix_attributes::Search;
use gix_attributes::glob::pattern::Case;
use gix_attributes::search::{MetadataCollection, Outcome};
use gix_hash::ObjectId;

use crate::error::GitError;
use crate::remote::Remote;
use crate::trees::Snapshot;

/// File with the attributes of the files in a folder.
const FILE: &str = ".gitattributes";

/// Maximum size of an attributes file in bytes. Larger ones are ignored.
const MAX_BYTES: usize = 1 << 20;

/// Attribute of files that a filter program converts, and its value for Git LFS.
const FILTER: &str = "filter";
const LFS: &str = "lfs";

impl Remote {
    /// Returns the paths that the attributes of a snapshot assign to Git LFS.
    ///
    /// # Errors
    /// The errors of [`Remote::fetch`].
    pub fn large_paths<'p>(
        &self,
        snapshot: &mut Snapshot,
        paths: impl Iterator<Item = &'p str>,
    ) -> Result<BTreeSet<&'p str>, GitError> {
        let paths: Vec<&str> = paths.collect();
        let mut sources: Vec<(String, ObjectId)> = sources(snapshot, &paths);
        // Attributes in deeper folders take precedence.
        sources.sort_by_key(|(path, _)| path.matches('/').count());
        let ids: Vec<ObjectId> = sources.iter().map(|(_, id)| *id).collect();
        self.fetch_blobs(snapshot, &ids)?;
        let mut attributes = Attributes::default();
        for (path, id) in sources {
            attributes.add(path, &snapshot.blob(&id)?)?;
        }
        let mut large = BTreeSet::new();
        for path in paths {
            self.connections.usage.check()?;
            if attributes.is_large(path) {
                large.insert(path);
            }
        }
        Ok(large)
    }
}

/// Returns the attributes files in the folders of some paths.
fn sources(snapshot: &Snapshot, paths: &[&str]) -> Vec<(String, ObjectId)> {
    let mut folders: BTreeSet<&str> = BTreeSet::from([""]);
    for path in paths {
        let ends =
            path.match_indices('/').filter_map(|(at, slash)| path.get(..at.saturating_add(slash.len())));
        folders.extend(ends);
    }
    let files = folders.into_iter().map(|folder| format!("{folder}{FILE}"));
    files.filter_map(|path| snapshot.files.get(&path).map(|id| (path.clone(), *id))).collect()
}

/// Attributes of a repository.
#[derive(Default)]
struct Attributes {
    search: Search,
    names: MetadataCollection,
}

impl Attributes {
    /// Adds an attributes file. Files of parent folders must be added first.
    fn add(&mut self, path: String, bytes: &[u8]) -> Result<(), GitError> {
        if bytes.len() > MAX_BYTES {
            return Ok(());
        }
        // Git accepts macros only in the file at the top.
        let (is_top, root) = (path == FILE, Some(Path::new("")));
        let added =
            self.search.add_patterns_buffer(bytes, PathBuf::from(path), root, &mut self.names, is_top);
        added.map_err(|error| GitError::unreadable(&error))
    }

    fn is_large(&self, path: &str) -> bool {
        let mut outcome = Outcome::default();
        outcome.initialize_with_selection(&self.names, [FILTER]);
        self.search.pattern_matching_relative_path(path.into(), Case::Sensitive, Some(false), &mut outcome);
        outcome
            .iter_selected()
            .any(|found| found.assignment.state.as_bstr().is_some_and(|value| value == LFS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_name_the_files_of_lfs() {
        let mut attributes = Attributes::default();
        let top = "[attr]large filter=lfs diff=lfs merge=lfs -text\n\
                   # pictures\n*.png filter=lfs diff=lfs merge=lfs -text\n/videos/** large\n*.svg -filter\n";
        attributes.add(".gitattributes".to_owned(), top.as_bytes()).unwrap();
        let below = "*.gif filter=lfs\nsmall.png !filter\n[attr]other filter=lfs\n*.pdf other\n";
        attributes.add("docs/.gitattributes".to_owned(), below.as_bytes()).unwrap();
        let large = |path: &str| attributes.is_large(path);
        assert!(large("a.png") && large("docs/b c.png") && large("videos/x/y.mp4") && large("docs/a.gif"));
        assert!(!large("a.gif") && !large("docs/small.png") && large("small.png") && !large("docs/videos/a"));
        assert!(!large("docs/a.pdf") && !large("a.svg") && !large("README.md"));
    }

    #[test]
    fn macros_may_name_each_other() {
        let mut attributes = Attributes::default();
        let text = "[attr]a b\n[attr]b a filter=lfs\n*.png a\n".as_bytes();
        attributes.add(".gitattributes".to_owned(), text).unwrap();
        assert!(attributes.is_large("x.png"));
        let other = Attributes::default();
        assert!(!other.is_large("x.png"));
    }
}
