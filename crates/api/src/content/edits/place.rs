//! Where pages stand: parents, positions and slugs.

use quire_domain::Patch;
use quire_domain::ids::PageId;
use quire_revision::{PageNode, Tree};

/// Puts a page where a change wants it. A place that it has already leaves its position as it is.
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

/// An index among siblings.
pub(super) fn index(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// The slug that a title makes for a page at a place: with a number when another page there has it.
pub(super) fn made_slug(tree: &Tree, parent: Option<PageId>, title: &str, page: PageId) -> String {
    let wanted = quire_markup::slugify(title);
    let is_free = |slug: &String| tree.child_by_slug(parent, slug).is_none_or(|holder| holder.id == page);
    let numbered = (1_u64..).map(|number| format!("{wanted}-{number}"));
    std::iter::once(wanted.clone()).chain(numbered).find(is_free).unwrap_or_default()
}
