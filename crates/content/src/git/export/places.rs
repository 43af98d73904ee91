//! Paths that the commits of one export give to content.
//!
//! Only the end of an export stores them. Until then, later commits of the export take them from the tree of the
//! revision before.

use std::collections::BTreeMap;

use quire_git::ObjectId;
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

/// Returns a tree with the files of pages at their paths in a commit. A tree from the time before the record of an
/// export lacks the paths that it changed, which the present content has.
pub(super) fn with_renames(
    tree: &Tree,
    present: &Tree,
    files: &BTreeMap<String, ObjectId>,
) -> Result<Tree, TreeError> {
    let is_there = |git: &GitBlob| {
        let found = files.get(&git.path);
        found.is_some_and(|found| ObjectId::from_hex(git.oid.as_bytes()).is_ok_and(|oid| oid == *found))
    };
    let renamed = |page: &PageNode| {
        let stored = page.git.as_deref()?;
        let found = present.page(page.id)?.git.as_deref()?;
        (found.path != stored.path && !is_there(stored) && is_there(found)).then(|| found.clone())
    };
    located(tree, renamed, |_| None, |_| None)
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

#[cfg(test)]
mod tests {
    use quire_domain::ids::PageId;
    use quire_revision::PageKind;
    use uuid::Uuid;

    use super::*;

    /// Returns a tree of pages with the paths and the first digits of object ids of their files.
    fn tree(files: [(&str, char); 3]) -> Tree {
        let mut tree = Tree::empty();
        for (number, (path, digit)) in (1..).zip(files) {
            let (id, slug) = (PageId::from_uuid(Uuid::from_u128(number)), format!("page-{number}"));
            let position = tree.position_at(None, None, None);
            let mut page = PageNode::new(id, None, position, PageKind::Document, "Page", slug);
            page.git = Some(Box::new(GitBlob { oid: digit.to_string().repeat(40), path: path.to_owned() }));
            tree.insert_page(page).unwrap();
        }
        tree
    }

    #[test]
    fn renamed_files_of_a_commit_are_found_by_the_present_content() {
        let former = tree([("a.md", 'a'), ("b.md", 'b'), ("c.md", 'c')]);
        let commit = [("a.md", 'b'), ("b.md", 'a'), ("c.md", 'd')];
        let id = |digit: char| ObjectId::from_hex(digit.to_string().repeat(40).as_bytes()).unwrap();
        let files = commit.iter().map(|(path, digit)| ((*path).to_owned(), id(*digit))).collect();
        // The first two exchanged their paths. The third was edited, and moves with the next export.
        let present = tree([("b.md", 'a'), ("a.md", 'b'), ("d.md", 'd')]);
        let paths = |tree: &Tree| -> Vec<String> {
            tree.pages_in_order().map(|page| page.git.as_ref().unwrap().path.clone()).collect()
        };
        let found = with_renames(&former, &present, &files).unwrap();
        assert_eq!(paths(&found), ["b.md", "a.md", "c.md"]);
        assert_eq!(paths(&with_renames(&former, &former, &files).unwrap()), ["a.md", "b.md", "c.md"]);
    }
}
