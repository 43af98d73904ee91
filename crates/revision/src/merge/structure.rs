//! Repairs the structure of merged pages: no page below a deleted page or below itself.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::Strategy;
use super::conflict::{ConflictKind, parent_of, summary};
use super::outcome::Outcome;
use crate::entry::{Entry, EntryId, PageNode};
use crate::id::PageId;
use crate::tree::Tree;

/// Reason for a page's merged location to be invalid.
enum Trouble {
    /// The parent will be deleted.
    Orphan { parent: PageId },
    /// The page would be its own ancestor. Lists the pages of the cycle, the page itself first.
    Cycle(Vec<PageId>),
}

/// Repairs the structure of a merge and records the repairs as conflicts.
///
/// An invalid page is *pinned* to one tree: it and all its ancestors take their existence and location from that
/// tree. A pinned page that exists reaches the top level through pinned pages that exist: with a strategy because all
/// are as on one side, without one because no page is pinned to a tree that doesn't have it. So pinned pages are
/// never invalid again, each round pins at least one more page, and the loop terminates.
///
/// Choices for single pages may contradict each other: one keeps a page, and another deletes the page above it. Such
/// choices are rejected. They also end the loop if a round pins no more pages.
///
/// Without a strategy, the same pages are kept if the sides are swapped.
pub(super) fn repair(outcome: &mut Outcome<'_>) {
    let mut pinned = HashSet::new();
    let mut first_round = true;
    loop {
        let suspects = outcome.suspects().into_iter();
        let troubles: Vec<(PageId, Trouble)> =
            suspects.filter_map(|id| Some((id, trouble(outcome, id)?))).collect();
        if troubles.is_empty() {
            if !outcome.follows_choices() {
                outcome.reject_structure();
            }
            return;
        }
        if first_round {
            // Troubles of later rounds only follow from those of the first.
            troubles.iter().for_each(|(id, trouble)| report(outcome, *id, trouble));
            first_round = false;
        }
        // The suspects and their order depend on the choice of `into`. The pins must not.
        let pins: BTreeMap<PageId, &Tree> =
            troubles.iter().flat_map(|(id, trouble)| pins(outcome, *id, trouble)).collect();
        let before = pinned.len();
        for (id, tree) in pins {
            pin(outcome, &mut pinned, id, tree);
        }
        if pinned.len() == before {
            outcome.reject_structure();
            return;
        }
    }
}

fn trouble(outcome: &Outcome<'_>, id: PageId) -> Option<Trouble> {
    let page = outcome.page(id)?;
    let mut way = vec![id];
    let mut next = page.parent;
    while let Some(above) = next {
        if above == id {
            return Some(Trouble::Cycle(way));
        }
        if way.contains(&above) {
            // A cycle among the ancestors is reported for the pages on it.
            return None;
        }
        let Some(parent) = outcome.page(above) else {
            // A missing ancestor is reported for its own children.
            return (way.len() == 1).then_some(Trouble::Orphan { parent: above });
        };
        way.push(above);
        next = parent.parent;
    }
    None
}

fn report(outcome: &mut Outcome<'_>, id: PageId, trouble: &Trouble) {
    let (base, into, from) = (outcome.base, outcome.into, outcome.from);
    match trouble {
        Trouble::Orphan { parent } => {
            let contested = [ConflictKind::DeletedHere, ConflictKind::DeletedThere, ConflictKind::Moved];
            if outcome.has_conflict(id, &contested) {
                return;
            }
            let kind = if into.page(*parent).is_some() {
                ConflictKind::DeletedHere
            } else {
                ConflictKind::DeletedThere
            };
            let _side = outcome.conflict_on_page(id, kind, [base, into, from].map(|tree| summary(tree, id)));
        }
        Trouble::Cycle(pages) => {
            for id in pages {
                let parent = |tree: &Tree| tree.page(*id).map(|page| page.parent);
                // A page that only one side has was inserted, not moved.
                let moved = parent(into).zip(parent(from)).is_some_and(|(into, from)| into != from);
                if moved && !outcome.has_conflict(*id, &[ConflictKind::Moved]) {
                    let parents = [base, into, from].map(|tree| tree.page(*id).map(parent_of));
                    let _side = outcome.conflict_on_page(*id, ConflictKind::Moved, parents);
                }
            }
        }
    }
}

/// Returns the pages to pin, each with the tree of the side that resolves its conflict. Without a side, the outcome is
/// not used but must contain all pages.
fn pins<'a>(outcome: &Outcome<'a>, id: PageId, trouble: &Trouble) -> Vec<(PageId, &'a Tree)> {
    let side_of = |id: PageId| match outcome.side_of(id)? {
        Strategy::Ours => Some(outcome.from),
        Strategy::Theirs => Some(outcome.into),
    };
    match trouble {
        Trouble::Orphan { parent } => {
            // At most one side has the parent. If neither has it, the location is that of the base.
            let holds_both = |tree: &&Tree| tree.page(*parent).is_some() && tree.page(id).is_some();
            let holder = || [outcome.into, outcome.from].into_iter().find(holds_both);
            vec![(id, side_of(id).or_else(holder).unwrap_or(outcome.base))]
        }
        Trouble::Cycle(pages) => {
            // Inserted pages alone cannot form a cycle. They stay below the page where they were inserted.
            let trees = pages.iter().map(|id| (*id, side_of(*id).unwrap_or(outcome.base)));
            trees.filter(|(id, tree)| tree.page(*id).is_some()).collect()
        }
    }
}

fn pin(outcome: &mut Outcome<'_>, pinned: &mut HashSet<PageId>, id: PageId, tree: &Tree) {
    let mut next = Some(id);
    while let Some(id) = next.filter(|id| pinned.insert(*id)) {
        let there = tree.page(id);
        let page = there.map(|there| match outcome.page(id) {
            Some(merged) => {
                PageNode { parent: there.parent, position: there.position.clone(), ..merged.clone() }
            }
            None => there.clone(),
        });
        outcome.set(EntryId::Page(id), page.map(|page| Entry::Page(Arc::new(page))));
        next = there.and_then(|there| there.parent);
    }
}
