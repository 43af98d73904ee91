//! Locations of pages: parents, positions and slugs.

use quire_domain::Patch;
use quire_domain::ids::PageId;
use quire_revision::{PageNode, Tree};

/// Moves a page to the location in a change. Moving it to its current location keeps its position.
pub(super) fn put(tree: &Tree, page: &mut PageNode, into: &Patch<PageId>, at: Option<u32>) {
    let parent = match into {
        Patch::Keep => page.parent,
        Patch::Clear => None,
        Patch::Set(parent) => Some(*parent),
    };
    let at = at.map(index);
    let is_there = parent == page.parent
        && at.is_none_or(|at| {
            let siblings = tree.children(parent).count();
            let present = tree.children(parent).position(|sibling| sibling.id == page.id);
            present == Some(at.min(siblings.saturating_sub(1)))
        });
    if !is_there {
        page.position = tree.position_at(parent, at, Some(page.id));
        page.parent = parent;
    }
}

/// Converts a position among siblings to an index.
pub(super) fn index(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}
