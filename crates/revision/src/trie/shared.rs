//! Memory that a trie does not share with another.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Key, Node, Shape};
use crate::entry::Entry;

/// Parts of a trie that it does not share with another one.
#[derive(Default)]
pub(crate) struct Unshared<'a> {
    /// Bytes of the nodes, without their entries.
    pub(crate) nodes: usize,
    /// Entries, each of which has its own allocation.
    pub(crate) entries: Vec<&'a Entry>,
}

/// Returns the parts of `node` that are not allocated in `other`. Cost is proportional to these parts.
pub(crate) fn unshared<'a>(other: &Arc<Node>, node: &'a Arc<Node>) -> Unshared<'a> {
    let mut found = Unshared::default();
    collect(Some(other), node, &mut found);
    found
}

fn collect<'a>(other: Option<&Arc<Node>>, node: &'a Arc<Node>, found: &mut Unshared<'a>) {
    if other.is_some_and(|other| Arc::ptr_eq(other, node)) {
        return;
    }
    found.nodes += size_of::<Node>();
    match &node.shape {
        Shape::Leaf(entries) => {
            found.nodes += entries.len() * size_of::<(Key, Entry)>();
            let others: HashMap<&[u8; 32], &Entry> = other
                .iter()
                .flat_map(|other| other.entries())
                .take(super::LEAF_CAPACITY + 1)
                .map(|(key, entry)| (&key.0, entry))
                .collect();
            let own = entries.iter().filter(|(key, entry)| {
                others.get(&key.0).is_none_or(|other| !entry.is_same_allocation(other))
            });
            found.entries.extend(own.map(|(_, entry)| entry));
        }
        Shape::Branch(branch) => {
            let others = other.and_then(|other| match &other.shape {
                Shape::Branch(branch) => Some(&branch.slots),
                Shape::Leaf(_) => None,
            });
            for (slot, child) in branch.slots.iter().enumerate() {
                let other = others.and_then(|slots| slots.get(slot)?.as_ref());
                if let Some(child) = child {
                    collect(other, child, found);
                }
            }
        }
    }
}
