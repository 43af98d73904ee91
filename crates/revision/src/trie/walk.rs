//! Simultaneous walk of two tries that skips equal subtrees.

use std::iter::Peekable;
use std::sync::Arc;

use super::{Key, Node, Shape};
use crate::entry::{Entry, EntryChange};
use crate::hash::TreeHash;

/// Returns the entries in which two tries differ, in the order of their keys. Cost is proportional to the number of
/// differences times the depth.
pub(crate) fn differences(before: &Arc<Node>, after: &Arc<Node>) -> Vec<EntryChange> {
    let mut found = Vec::new();
    collect_differences(Some(before), Some(after), &mut found);
    found
}

fn collect_differences(before: Option<&Arc<Node>>, after: Option<&Arc<Node>>, found: &mut Vec<EntryChange>) {
    if let (Some(before), Some(after)) = (before, after) {
        if same(before, after) {
            return;
        }
        if let (Shape::Branch(before), Shape::Branch(after)) = (&before.shape, &after.shape) {
            for (before, after) in before.slots.iter().zip(&after.slots) {
                collect_differences(before.as_ref(), after.as_ref(), found);
            }
            return;
        }
    }
    // One side is a leaf or missing, so all entries can be compared.
    let before = before.into_iter().flat_map(|node| node.entries());
    let after = after.into_iter().flat_map(|node| node.entries());
    join(before.peekable(), after.peekable(), found);
}

fn join<'a, I: Iterator<Item = &'a (Key, Entry)>>(
    mut before: Peekable<I>,
    mut after: Peekable<impl Iterator<Item = &'a (Key, Entry)>>,
    found: &mut Vec<EntryChange>,
) {
    let keys_of = |before: Option<&&'a (Key, Entry)>, after: Option<&&'a (Key, Entry)>| {
        before.map(|(key, _)| *key).into_iter().chain(after.map(|(key, _)| *key)).min()
    };
    while let Some(key) = keys_of(before.peek(), after.peek()) {
        let old = before.next_if(|(candidate, _)| *candidate == key).map(|(_, entry)| entry);
        let new = after.next_if(|(candidate, _)| *candidate == key).map(|(_, entry)| entry);
        if old != new {
            found.push((old.cloned(), new.cloned()));
        }
    }
}

/// Returns the encoded nodes of a trie that another one doesn't have at the same path.
pub(crate) fn nodes_missing_in(stored: &Arc<Node>, node: &Arc<Node>) -> Vec<(TreeHash, Vec<u8>)> {
    let mut missing = Vec::new();
    collect_missing(Some(stored), node, &mut missing);
    missing
}

fn collect_missing(stored: Option<&Arc<Node>>, node: &Arc<Node>, missing: &mut Vec<(TreeHash, Vec<u8>)>) {
    if stored.is_some_and(|stored| same(stored, node)) {
        return;
    }
    missing.push((node.hash(), node.encode()));
    let Shape::Branch(branch) = &node.shape else { return };
    let stored = stored.and_then(|stored| match &stored.shape {
        Shape::Branch(branch) => Some(branch),
        Shape::Leaf(_) => None,
    });
    for (slot, child) in branch.slots.iter().enumerate() {
        let stored = stored.and_then(|stored| stored.slots.get(slot)?.as_ref());
        if let Some(child) = child {
            collect_missing(stored, child, missing);
        }
    }
}

fn same(left: &Arc<Node>, right: &Arc<Node>) -> bool {
    Arc::ptr_eq(left, right) || left.hash() == right.hash()
}
