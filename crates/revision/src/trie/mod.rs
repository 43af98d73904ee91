//! A Merkle trie: a persistent set of entries, keyed by their ids, whose shape and hash depend on the set alone.
//!
//! An entry's key is the SHA-256 of its kind and id, so keys are evenly distributed. The trie branches on a key's
//! hexadecimal digits, most significant first. A subtree of at most [`LEAF_CAPACITY`] entries is always one leaf, a
//! larger one always a branch. So the shape is a function of the set, and equal sets have equal hashes regardless of
//! the edits that produced them.

mod encoding;
mod fetch;
mod lookup;
mod references;
mod shared;
mod walk;

use std::sync::{Arc, OnceLock};

pub use encoding::MalformedNode;
pub(crate) use fetch::{FetchError, fetch_all};
pub(crate) use lookup::entry_in_all;
pub use references::NodeReferences;
pub(crate) use shared::{Unshared, unshared};
pub(crate) use walk::{differences, nodes_missing_in};

use crate::entry::{Entry, EntryId};
use crate::hash::{TreeHash, sha256};

/// Maximum number of entries in a leaf. A node then has about 10 kB, small compared to the cost of a query, and 10,000
/// pages make a trie of three to four levels.
pub(crate) const LEAF_CAPACITY: usize = 32;

/// Number of slots of a branch: one for each hexadecimal digit.
const RADIX: usize = 16;

/// Number of digits of a key, the maximum depth of the trie.
const KEY_DIGITS: usize = 64;

/// Key of an entry in the trie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key([u8; 32]);

impl Key {
    pub(crate) fn of(id: EntryId) -> Self {
        let (kind, uuid) = match &id {
            EntryId::Page(id) => (b"p", id.as_uuid()),
            EntryId::File(id) => (b"f", id.as_uuid()),
            EntryId::ReusableContent(id) => (b"r", id.as_uuid()),
        };
        Self(sha256(&[kind, uuid.as_bytes()]))
    }

    /// Returns the hexadecimal digit for a branch at this depth (0 for the root).
    fn digit(&self, depth: usize) -> usize {
        let byte = self.0.get(depth / 2).copied().unwrap_or_default();
        usize::from(if depth.is_multiple_of(2) { byte >> 4 } else { byte & 0xf })
    }
}

/// Subtree. Its hash is computed on first use, so a series of edits hashes each node once.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    hash: OnceLock<TreeHash>,
    shape: Shape,
}

/// Entries of a leaf, in the order of their keys.
type Leaf = Vec<(Key, Entry)>;

#[derive(Debug, Clone)]
enum Shape {
    Leaf(Leaf),
    Branch(Branch),
}

#[derive(Debug, Clone)]
struct Branch {
    /// Number of entries in the subtree.
    count: usize,
    slots: [Option<Arc<Node>>; RADIX],
}

impl Default for Node {
    fn default() -> Self {
        Self::from(Shape::Leaf(Leaf::new()))
    }
}

impl From<Shape> for Node {
    fn from(shape: Shape) -> Self {
        Self { hash: OnceLock::new(), shape }
    }
}

impl Node {
    /// Returns the number of entries in the subtree.
    pub(crate) fn count(&self) -> usize {
        match &self.shape {
            Shape::Leaf(entries) => entries.len(),
            Shape::Branch(branch) => branch.count,
        }
    }

    pub(crate) fn hash(&self) -> TreeHash {
        *self.hash.get_or_init(|| TreeHash::of_node(&self.encode()))
    }

    /// Inserts an entry into the subtree at this depth and returns the replaced one.
    pub(crate) fn insert(&mut self, depth: usize, key: Key, entry: Entry) -> Option<Entry> {
        self.hash = OnceLock::new();
        match &mut self.shape {
            Shape::Leaf(entries) => {
                let replaced = insert_sorted(entries, key, entry);
                if entries.len() > LEAF_CAPACITY && depth < KEY_DIGITS {
                    self.shape = Shape::Branch(Branch::split(depth, std::mem::take(entries)));
                }
                replaced
            }
            Shape::Branch(branch) => {
                let slot = branch.slots.get_mut(key.digit(depth))?;
                let child = Arc::make_mut(slot.get_or_insert_default());
                let replaced = child.insert(depth + 1, key, entry);
                branch.count += usize::from(replaced.is_none());
                replaced
            }
        }
    }

    /// Removes an entry from the subtree at this depth.
    pub(crate) fn remove(&mut self, depth: usize, key: Key) -> Option<Entry> {
        let removed = match &mut self.shape {
            Shape::Leaf(entries) => {
                let index = entries.binary_search_by_key(&key, |(key, _)| *key).ok()?;
                Some(entries.remove(index).1)
            }
            Shape::Branch(branch) => {
                let slot = branch.slots.get_mut(key.digit(depth))?;
                let child = Arc::make_mut(slot.as_mut()?);
                let removed = child.remove(depth + 1, key)?;
                if child.count() == 0 {
                    *slot = None;
                }
                branch.count -= 1;
                Some(removed)
            }
        };
        self.hash = OnceLock::new();
        if matches!(self.shape, Shape::Branch(_)) && self.count() <= LEAF_CAPACITY {
            let entries = self.entries().map(|(key, entry)| (*key, entry.clone())).collect();
            self.shape = Shape::Leaf(entries);
        }
        removed
    }

    /// Returns all entries of the subtree in the order of their keys.
    fn entries(&self) -> impl Iterator<Item = &(Key, Entry)> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            loop {
                let node = pending.pop()?;
                match &node.shape {
                    Shape::Leaf(entries) => return Some(entries.iter()),
                    Shape::Branch(branch) => {
                        pending.extend(branch.slots.iter().rev().flatten().map(Arc::as_ref))
                    }
                }
            }
        })
        .flatten()
    }
}

impl Branch {
    /// Returns the branch at this depth over entries in the order of their keys.
    fn split(depth: usize, entries: Leaf) -> Self {
        let count = entries.len();
        let mut groups: [Leaf; RADIX] = Default::default();
        for (key, entry) in entries {
            if let Some(group) = groups.get_mut(key.digit(depth)) {
                group.push((key, entry));
            }
        }
        let slots = groups.map(|group| (!group.is_empty()).then(|| Arc::new(subtree(depth + 1, group))));
        Self { count, slots }
    }
}

/// Returns the subtree at this depth over entries in the order of their keys.
fn subtree(depth: usize, entries: Leaf) -> Node {
    let shape = if entries.len() > LEAF_CAPACITY && depth < KEY_DIGITS {
        Shape::Branch(Branch::split(depth, entries))
    } else {
        Shape::Leaf(entries)
    };
    Node::from(shape)
}

fn insert_sorted(entries: &mut Leaf, key: Key, entry: Entry) -> Option<Entry> {
    match entries.binary_search_by_key(&key, |(key, _)| *key) {
        Ok(index) => entries.get_mut(index).map(|(_, present)| std::mem::replace(present, entry)),
        Err(index) => {
            entries.insert(index, (key, entry));
            None
        }
    }
}
