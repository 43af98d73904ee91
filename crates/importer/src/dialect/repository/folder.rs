//! Folders that settings name.

use crate::path;
use crate::tree::SourceTree;

/// Returns the folder at `relative`, relative to `folder`, if it contains files.
pub(super) fn folder_of(tree: &SourceTree, folder: &str, relative: &str) -> Option<String> {
    let folder = path::join(folder, relative)?;
    let inside = format!("{folder}/");
    let is_there = folder.is_empty()
        || tree.files.range(inside.clone()..).next().is_some_and(|(file, _)| file.starts_with(&inside));
    is_there.then_some(folder)
}
