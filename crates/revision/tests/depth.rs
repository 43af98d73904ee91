//! Maximum depth of pages.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use quire_revision::{MAX_PAGE_DEPTH, PageId, PageKind, PageNode, Tree, TreeError};
use uuid::Uuid;

fn page(tree: &Tree, number: usize, parent: Option<PageId>) -> PageNode {
    let id = PageId::from_uuid(Uuid::from_u128(u128::try_from(number).unwrap()));
    let position = tree.position_at(parent, None, None);
    PageNode::new(
        id,
        parent,
        position,
        PageKind::Document,
        format!("Page {number}"),
        format!("page-{number}"),
    )
}

/// Adds a chain of pages, each the parent of the next, numbered from `first`.
fn chain(tree: &mut Tree, first: usize, length: usize) -> Vec<PageId> {
    let mut chain: Vec<PageId> = Vec::new();
    for number in first..first + length {
        let page = page(tree, number, chain.last().copied());
        chain.push(page.id);
        tree.insert_page(page).unwrap();
    }
    chain
}

#[test]
fn a_page_below_the_deepest_is_refused() {
    let mut tree = Tree::empty();
    let pages = chain(&mut tree, 1, MAX_PAGE_DEPTH);
    let below = page(&tree, 1_000, pages.last().copied());
    assert_eq!(tree.insert_page(below.clone()), Err(TreeError::TooDeep(below.id)));
}

#[test]
fn a_page_is_moved_with_all_that_is_below_it_or_not_at_all() {
    let mut tree = Tree::empty();
    let upper = chain(&mut tree, 1, MAX_PAGE_DEPTH - 2);
    let lower = chain(&mut tree, 1_000, 3);
    let mut moved = tree.page(lower[0]).unwrap().clone();
    moved.parent = upper.last().copied();
    moved.position = tree.position_at(moved.parent, None, Some(moved.id));
    assert_eq!(tree.update_page(moved.clone()), Err(TreeError::TooDeep(lower[0])));
    moved.parent = Some(upper[upper.len() - 2]);
    moved.position = tree.position_at(moved.parent, None, Some(moved.id));
    tree.update_page(moved).unwrap();
}

#[test]
fn a_merge_that_nests_too_deep_is_seen() {
    let mut base = Tree::empty();
    let half = MAX_PAGE_DEPTH / 2 + 1;
    let chains = [chain(&mut base, 1, half), chain(&mut base, 1_000, half), chain(&mut base, 2_000, 1)];
    let below = |page: PageId, parent: PageId| {
        let mut tree = base.clone();
        let mut moved = tree.page(page).unwrap().clone();
        moved.parent = Some(parent);
        moved.position = tree.position_at(moved.parent, None, Some(page));
        tree.update_page(moved).unwrap();
        tree
    };
    // Each move is within the bound. Together they put the third chain below the end of the first, and the second below
    // the third.
    let ours = below(chains[2][0], chains[0][half - 1]);
    let theirs = below(chains[1][0], chains[2][0]);
    let load = |_: &[_]| Ok::<_, std::convert::Infallible>(std::collections::HashMap::new());
    let merged =
        quire_revision::merge(&base, &ours, &theirs, &quire_revision::Resolution::default(), load).unwrap();
    assert!(merged.conflicts.is_empty());
    assert!(merged.tree.too_deep_since(&ours).is_some());
    assert_eq!(ours.too_deep_since(&base), None);
}
