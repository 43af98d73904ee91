//! Sorting changed pages by the table of contents, without walking it.

use crate::entry::PageNode;
use crate::id::PageId;
use crate::position::Position;
use crate::tree::Tree;

/// Sorts a changed page into the table of contents after the change. The key is the list of positions of its ancestors
/// and its own, from the top level down. A deleted page keeps its former position below its nearest ancestor that still
/// exists.
pub(crate) fn tree_order(
    before: &Tree,
    after: &Tree,
    old: Option<&PageNode>,
    new: Option<&PageNode>,
) -> Vec<(Position, PageId)> {
    let mut positions = Vec::new();
    let mut next = new.or(old);
    while let Some(page) = next {
        positions.push((page.position.clone(), page.id));
        next = page.parent.and_then(|parent| after.page(parent).or_else(|| before.page(parent)));
    }
    positions.reverse();
    positions
}
