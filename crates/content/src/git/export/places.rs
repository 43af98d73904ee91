//! Paths that the commits of one export give to content.
//!
//! Only the end of an export stores them. Until then, later commits of the export take them from the tree of the
//! revision before.

use quire_revision::{FileNode, GitBlob, PageNode, ReusableContentNode, Tree, TreeError};

use crate::exports::layout::Layout;

/// Object id of content that an earlier commit of the export wrote.
const WRITTEN: &str = "";

/// Returns the location to set, if content is at another path than its stored one.
fn written(path: Option<&str>, prefix: &str, stored: Option<&GitBlob>) -> Option<GitBlob> {
    let path = format!("{prefix}{}", path?);
    let is_other = stored.is_none_or(|stored| stored.path != path);
    is_other.then(|| GitBlob { oid: WRITTEN.to_owned(), path })
}

/// Returns the location to set: the one of an earlier commit of the export, else that of the present content, which a
/// revision from the time before its record lacks.
fn known(stored: Option<&GitBlob>, former: Option<&GitBlob>, present: Option<&GitBlob>) -> Option<GitBlob> {
    let former = former.filter(|former| former.oid == WRITTEN);
    let known = former.or_else(|| present.filter(|_| stored.is_none()))?;
    (Some(known) != stored).then(|| known.clone())
}

/// Returns a tree with the paths of a layout.
pub(super) fn with_paths(tree: &Tree, layout: &Layout, prefix: &str) -> Result<Tree, TreeError> {
    located(
        tree,
        |page| written(layout.page(page.id), prefix, page.git.as_deref()),
        |file| written(layout.file(file.id), prefix, file.git.as_ref()),
        |content| written(layout.reusable_content(content.id), prefix, content.git.as_ref()),
    )
}

/// Returns a tree with the paths of earlier commits, whose last one is of the tree `former`. `present` is the tree of
/// the present content.
pub(super) fn with_known(tree: &Tree, former: Option<&Tree>, present: &Tree) -> Result<Tree, TreeError> {
    located(
        tree,
        |node| known(node.git.as_deref(), page_of(former, node), page_of(Some(present), node)),
        |node| known(node.git.as_ref(), file_of(former, node), file_of(Some(present), node)),
        |node| known(node.git.as_ref(), content_of(former, node), content_of(Some(present), node)),
    )
}

fn page_of<'t>(tree: Option<&'t Tree>, node: &PageNode) -> Option<&'t GitBlob> {
    tree?.page(node.id)?.git.as_deref()
}

fn file_of<'t>(tree: Option<&'t Tree>, node: &FileNode) -> Option<&'t GitBlob> {
    tree?.file(node.id)?.git.as_ref()
}

fn content_of<'t>(tree: Option<&'t Tree>, node: &ReusableContentNode) -> Option<&'t GitBlob> {
    tree?.reusable_content(node.id)?.git.as_ref()
}

/// Returns a tree with other locations. Content for which a function returns `None` keeps its location.
pub(super) fn located(
    tree: &Tree,
    page: impl Fn(&PageNode) -> Option<GitBlob>,
    file: impl Fn(&FileNode) -> Option<GitBlob>,
    content: impl Fn(&ReusableContentNode) -> Option<GitBlob>,
) -> Result<Tree, TreeError> {
    let mut located = tree.clone();
    for node in tree.pages() {
        let Some(git) = page(node) else { continue };
        located.update_page(PageNode { git: Some(Box::new(git)), ..node.clone() })?;
    }
    for node in tree.files() {
        let Some(git) = file(node) else { continue };
        located.update_file(FileNode { git: Some(git), ..node.clone() })?;
    }
    for node in tree.reusable_contents() {
        let Some(git) = content(node) else { continue };
        let mut node = node.clone();
        node.git = Some(git);
        located.update_reusable_content(node)?;
    }
    Ok(located)
}
