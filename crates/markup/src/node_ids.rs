//! Ids of nodes: a block's own key, its path, or the anchor of a heading.

use crate::anchors::anchored_headings;
use crate::document::{Block, Document};
use crate::paths;
use crate::text::plain_block_text;

/// Block, with the form of the id that named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNode {
    /// Path of the block; see [`node_keys`](crate::node_keys).
    pub path: String,
    /// The id is the anchor of a heading.
    pub is_anchor: bool,
}

/// Returns the block with an id: its own key, its path, or its anchor.
#[must_use]
pub fn find_node(document: &Document, id: &str) -> Option<NamedNode> {
    let by_key = |path: &str, block: &Block| block.key.as_deref().unwrap_or(path) == id;
    if let Some(path) = path_of(document, by_key) {
        return Some(NamedNode { path, is_anchor: false });
    }
    let (heading, _) = anchored_headings(document).into_iter().find(|(_, anchor)| anchor == id)?;
    let path = path_of(document, |_, block| std::ptr::eq(block, heading))?;
    Some(NamedNode { path, is_anchor: true })
}

/// Returns the text of the block at a path: its titles, its inline content and its child blocks, each on a line.
#[must_use]
pub fn node_text(document: &Document, path: &str) -> Option<String> {
    block_at(document, path).map(plain_block_text)
}

/// Returns the id of the block at a path, in the form that named it. A block that is no longer a heading has no anchor.
#[must_use]
pub fn node_id(document: &Document, node: &NamedNode) -> Option<String> {
    let block = block_at(document, &node.path)?;
    let mut headings = if node.is_anchor { anchored_headings(document) } else { Vec::new() }.into_iter();
    let anchor = headings.find(|(heading, _)| std::ptr::eq(*heading, block)).map(|(_, anchor)| anchor);
    Some(anchor.unwrap_or_else(|| block.key.as_deref().unwrap_or(&node.path).to_owned()))
}

fn block_at<'d>(document: &'d Document, sought: &str) -> Option<&'d Block> {
    let mut found = None;
    paths::walk(&document.nodes, "", &mut |path, block| {
        let is_there = path == sought;
        if is_there {
            found = Some(block);
        }
        is_there
    });
    found
}

fn path_of(document: &Document, is_sought: impl Fn(&str, &Block) -> bool) -> Option<String> {
    let mut found = None;
    paths::walk(&document.nodes, "", &mut |path, block| {
        let is_found = is_sought(path, block);
        if is_found {
            found = Some(path.to_owned());
        }
        is_found
    });
    found
}
