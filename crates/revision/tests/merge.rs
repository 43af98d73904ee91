//! Algebraic laws of merging trees.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests fail like tests")]

mod common;

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;

use common::{Edit, assert_well_formed, build, run, script, some_document};
use proptest::prelude::*;
use proptest::strategy::Strategy as _;
use quire_revision::{
    Conflict, ConflictKind, DocumentId, EntryId, Merged, PageId, PageNode, Strategy, Tree, changed_pages,
    merge, raw_diff,
};
use serde_json::Value;

fn load(ids: &[DocumentId]) -> Result<HashMap<DocumentId, Value>, Infallible> {
    let all = (0..3).map(some_document).map(|document| (DocumentId::of(&document), document));
    let all: HashMap<_, _> = all.collect();
    Ok(ids.iter().map(|id| (*id, all[id].clone())).collect())
}

fn merged(base: &Tree, ours: &Tree, theirs: &Tree, strategy: Option<Strategy>) -> Merged {
    let Ok(merged) = merge(base, theirs, ours, &strategy.into(), load);
    merged
}

/// Generates a base and two sides, with different numbers for their new records.
fn sides() -> impl proptest::strategy::Strategy<Value = [Tree; 3]> {
    (script(40), script(12), script(12)).prop_map(|(base, ours, theirs)| {
        let base = build(&base);
        let (ours, theirs) = (run(&base, 1000, &ours), run(&base, 2000, &theirs));
        [base, ours, theirs]
    })
}

fn page_ids(tree: &Tree) -> BTreeSet<PageId> {
    tree.pages().map(|page| page.id).collect()
}

fn changed_ids(before: &Tree, after: &Tree) -> BTreeSet<EntryId> {
    let changes = raw_diff(before, after);
    changes
        .iter()
        .filter_map(|(before, after)| before.as_ref().or(after.as_ref()))
        .map(|entry| entry.id())
        .collect()
}

/// Returns the conflicts with the names of the other side.
fn swapped(conflicts: &[Conflict]) -> Vec<Conflict> {
    let swap = |conflict: &Conflict| {
        let kind = match conflict.kind {
            ConflictKind::DeletedHere => ConflictKind::DeletedThere,
            ConflictKind::DeletedThere => ConflictKind::DeletedHere,
            kind => kind,
        };
        Conflict { kind, ours: conflict.theirs.clone(), theirs: conflict.ours.clone(), ..conflict.clone() }
    };
    conflicts.iter().map(swap).collect()
}

/// Returns the subjects of conflicts, without the names that depend on the side.
fn subjects(conflicts: &[Conflict]) -> Vec<String> {
    let subject = |conflict: &Conflict| {
        let page = conflict.page.as_ref().map(|page| page.id);
        let values = [&conflict.base, &conflict.ours, &conflict.theirs];
        format!("{page:?} {:?} {:?} {:?} {values:?}", conflict.file, conflict.reusable_content, conflict.kind)
    };
    let mut subjects: Vec<String> = conflicts.iter().map(subject).collect();
    subjects.sort();
    subjects
}

proptest! {
    #[test]
    fn the_changed_side_wins_if_the_other_changed_nothing([base, ours, _] in sides()) {
        for strategy in [None, Some(Strategy::Ours), Some(Strategy::Theirs)] {
            for (left, right) in [(&ours, &base), (&base, &ours), (&ours, &ours)] {
                let merged = merged(&base, left, right, strategy);
                prop_assert_eq!(merged.tree.root(), ours.root());
                prop_assert!(merged.conflicts.is_empty() && merged.documents.is_empty());
            }
        }
    }

    #[test]
    fn the_outcome_is_a_tree([base, ours, theirs] in sides()) {
        for strategy in [None, Some(Strategy::Ours), Some(Strategy::Theirs)] {
            let merged = merged(&base, &ours, &theirs, strategy);
            assert_well_formed(&merged.tree);
            prop_assert!(strategy.is_none() || merged.conflicts.is_empty());
        }
    }

    #[test]
    fn swapped_sides_have_swapped_conflicts([base, ours, theirs] in sides()) {
        let one = merged(&base, &ours, &theirs, None);
        let other = merged(&base, &theirs, &ours, None);
        prop_assert_eq!(subjects(&one.conflicts), subjects(&swapped(&other.conflicts)));
        prop_assert_eq!(page_ids(&one.tree), page_ids(&other.tree));
    }

    #[test]
    fn no_page_is_lost([base, ours, theirs] in sides()) {
        let merged = merged(&base, &ours, &theirs, None);
        for id in page_ids(&ours).union(&page_ids(&theirs)) {
            let deleted = |side: &Tree| base.page(*id).is_some() && side.page(*id).is_none();
            let gone = merged.tree.page(*id).is_none();
            prop_assert!(!gone || deleted(&ours) || deleted(&theirs), "{} is lost", id);
        }
        if merged.conflicts.is_empty() {
            for (before, after) in changed_pages(&base, &ours).chain(changed_pages(&base, &theirs)) {
                if let (Some(before), None) = (&before, &after) {
                    prop_assert!(merged.tree.page(before.id).is_none(), "{} is back", before.id);
                }
            }
        }
    }

    #[test]
    fn changes_of_one_side_are_taken_from_that_side([base, ours, theirs] in sides()) {
        let outcome = merged(&base, &ours, &theirs, None);
        prop_assume!(outcome.conflicts.is_empty());
        let (by_ours, by_theirs) = (changed_ids(&base, &ours), changed_ids(&base, &theirs));
        for (alone, side) in [(by_ours.difference(&by_theirs), &ours), (by_theirs.difference(&by_ours), &theirs)] {
            for id in alone {
                let (expected, actual) = (side.entry(*id), outcome.tree.entry(*id));
                if let (EntryId::Page(id), Some(_)) = (id, &expected) {
                    // The slug and the position may be taken by other pages.
                    let (expected, actual) = (side.page(*id).unwrap(), outcome.tree.page(*id).unwrap());
                    prop_assert_eq!(expected.parent, actual.parent);
                    prop_assert!(actual.slug.starts_with(&expected.slug));
                    prop_assert_eq!((&expected.title, expected.document), (&actual.title, actual.document));
                } else {
                    prop_assert_eq!(expected, actual);
                }
            }
        }
    }

    #[test]
    fn a_strategy_takes_its_side_in_each_conflict([base, ours, theirs] in sides()) {
        for (strategy, side, other) in [(Strategy::Ours, &ours, &theirs), (Strategy::Theirs, &theirs, &ours)] {
            let settled = merged(&base, &ours, &theirs, Some(strategy)).tree;
            for conflict in merged(&base, &ours, &theirs, None).conflicts {
                let Some(id) = conflict.page.map(|page| page.id) else { continue };
                let (expected, actual) = (side.page(id), settled.page(id));
                match conflict.kind {
                    ConflictKind::DeletedHere | ConflictKind::DeletedThere => {
                        prop_assert_eq!(actual.is_some(), expected.is_some(), "{:?} {}", strategy, id);
                    }
                    ConflictKind::Title => {
                        prop_assert_eq!(actual.map(|page| &page.title), expected.map(|page| &page.title));
                    }
                    ConflictKind::Moved => {
                        let parent = |page: Option<&PageNode>| page.map(|page| page.parent);
                        // A move of one side conflicts only as part of a cycle. The side of another page may resolve
                        // it.
                        let is_free = parent(base.page(id)) == parent(expected)
                            && parent(actual) == parent(other.page(id));
                        prop_assert!(is_free || parent(actual) == parent(expected), "{:?} {}", strategy, id);
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn a_settled_merge_is_clean_when_it_is_repeated([base, ours, theirs] in sides()) {
        // A change request is updated from the space in this way, and then merged into it.
        for strategy in [Strategy::Ours, Strategy::Theirs] {
            let updated = merged(&base, &ours, &theirs, Some(strategy)).tree;
            let merged = merged(&theirs, &theirs, &updated, None);
            prop_assert!(merged.conflicts.is_empty());
            prop_assert_eq!(merged.tree, updated);
        }
    }

    #[test]
    fn edits_of_different_pages_are_both_applied(
        base in script(40),
        ours in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..3), 1..6),
        theirs in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..3), 1..6),
    ) {
        let base = build(&base);
        let write = |edits: &[(prop::sample::Index, u8)]| -> Vec<Edit> {
            edits.iter().map(|(page, document)| Edit::Write { page: *page, document: *document }).collect()
        };
        let (left, right) = (run(&base, 1000, &write(&ours)), run(&base, 2000, &write(&theirs)));
        let twice = changed_ids(&base, &left);
        let reverted = raw_diff(&right, &base).into_iter();
        let reverted: Vec<_> = reverted.filter(|(page, _)| twice.contains(&page.as_ref().unwrap().id())).collect();
        let right = right.apply(&reverted).unwrap();
        let outcome = merged(&base, &left, &right, None);
        prop_assert!(outcome.conflicts.is_empty());
        let both = left.apply(&raw_diff(&base, &right)).unwrap();
        prop_assert_eq!(outcome.tree, both);
    }
}
