//! Traversal of all nodes of a document, to change them.

use crate::document::{Block, Children, Fragment, Inline, InlineNode, Text};
use crate::paths;

/// Mutable node.
pub(super) enum Node<'n> {
    Block(&'n mut Block),
    Fragment(&'n mut Fragment),
    Inline(&'n mut InlineNode),
    Text(&'n mut Text),
}

impl Node<'_> {
    /// Returns the node's key.
    pub(super) fn key_mut(&mut self) -> &mut Option<Box<str>> {
        match self {
            Self::Block(node) => &mut node.key,
            Self::Fragment(node) => &mut node.key,
            Self::Inline(node) => &mut node.key,
            Self::Text(node) => &mut node.key,
        }
    }
}

/// Calls `visit` with each node and its path, parents first. Paths of blocks are as in [`crate::paths`]; `0.i2` is the
/// third inline node or text of the first block, and `0.f1` its second fragment.
pub(super) fn for_each_node(blocks: &mut [Block], parent: &str, visit: &mut dyn FnMut(&str, Node<'_>)) {
    for (index, block) in blocks.iter_mut().enumerate() {
        let path = paths::of_child(parent, index);
        visit(&path, Node::Block(block));
        match &mut block.children {
            Children::Void => {}
            Children::Blocks(children) => for_each_node(children, &path, visit),
            Children::Inlines(inlines) => Line { block: &path, inlines: 0, notes: 0 }.walk(inlines, visit),
        }
        for (index, fragment) in (&mut block.fragments).into_iter().enumerate() {
            let path = paths::of_fragment(&path, index);
            visit(&path, Node::Fragment(fragment));
            for_each_node(&mut fragment.nodes, &path, visit);
        }
    }
}

/// Position within the inline content of a block: the numbers of the next inline node and the next note.
struct Line<'b> {
    block: &'b str,
    inlines: usize,
    notes: usize,
}

impl Line<'_> {
    fn walk(&mut self, inlines: &mut [Inline], visit: &mut dyn FnMut(&str, Node<'_>)) {
        for inline in inlines {
            let path = format!("{}.i{}", self.block, self.inlines);
            self.inlines += 1;
            match inline {
                Inline::Text(text) => visit(&path, Node::Text(text)),
                Inline::Node(node) => {
                    visit(&path, Node::Inline(node));
                    self.walk(&mut node.nodes, visit);
                    for note in &mut node.fragments {
                        let path = paths::of_note(self.block, self.notes);
                        self.notes += 1;
                        visit(&path, Node::Fragment(note));
                        for_each_node(&mut note.nodes, &path, visit);
                    }
                }
            }
        }
    }
}
