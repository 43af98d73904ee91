//! Paths of blocks in a document, which identify blocks without a key.
//!
//! `0.2` is the third child of the first block; `0.f1.0` is the first block of the first block's second fragment (a
//! cell, a caption, a title); and `0.n0.0` is the first block of the first note in its text.

use crate::document::{Block, Children, Inline};

/// Returns the path of a child, or of a block of a fragment or note.
pub(crate) fn of_child(parent: &str, index: usize) -> String {
    if parent.is_empty() { index.to_string() } else { format!("{parent}.{index}") }
}

/// Returns the path of a block's fragment.
pub(crate) fn of_fragment(block: &str, index: usize) -> String {
    format!("{block}.f{index}")
}

/// Returns the path of a note in a block's text, by the number of notes before it.
pub(crate) fn of_note(block: &str, number: usize) -> String {
    format!("{block}.n{number}")
}

/// Visits all blocks with their paths in document order, until `visit` returns `true`.
pub(crate) fn walk<'d>(
    blocks: &'d [Block],
    parent: &str,
    visit: &mut dyn FnMut(&str, &'d Block) -> bool,
) -> bool {
    blocks.iter().enumerate().any(|(index, block)| {
        let path = of_child(parent, index);
        visit(&path, block) || walk_inside(block, &path, visit)
    })
}

fn walk_inside<'d>(block: &'d Block, path: &str, visit: &mut dyn FnMut(&str, &'d Block) -> bool) -> bool {
    let is_found = match &block.children {
        Children::Void => false,
        Children::Blocks(blocks) => walk(blocks, path, visit),
        Children::Inlines(inlines) => walk_notes(inlines, path, &mut 0, visit),
    };
    let mut fragments = block.fragments.iter().enumerate();
    is_found || fragments.any(|(index, part)| walk(&part.nodes, &of_fragment(path, index), visit))
}

fn walk_notes<'d>(
    inlines: &'d [Inline],
    block: &str,
    notes: &mut usize,
    visit: &mut dyn FnMut(&str, &'d Block) -> bool,
) -> bool {
    inlines.iter().any(|inline| {
        let Inline::Node(node) = inline else { return false };
        let is_found = walk_notes(&node.nodes, block, notes, visit);
        is_found
            || node.fragments.iter().any(|note| {
                let path = of_note(block, *notes);
                *notes += 1;
                walk(&note.nodes, &path, visit)
            })
    })
}
