//! Encoding of nodes, version 1.

use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Branch, Key, LEAF_CAPACITY, Node, RADIX, Shape};
use crate::canonical::canonical_json;
use crate::entry::{Entry, FileNode, PageNode, ReusableContentNode};
use crate::hash::TreeHash;

/// The version of the encoding that this release writes, and the only one that it reads.
const VERSION: u64 = 1;

/// Reason why bytes are not a valid node, or not the expected one.
#[derive(Debug, thiserror::Error)]
pub enum MalformedNode {
    /// The bytes are not JSON, or not of a node's shape.
    #[error("it can't be decoded")]
    Decode(#[from] serde_json::Error),
    /// The node was written by a newer release.
    #[error("its encoding has version {0}, this release reads version {VERSION}")]
    Version(u64),
    /// The bytes have another hash than the one they were asked by.
    #[error("its bytes have the hash {0}")]
    Hash(TreeHash),
    /// The node breaks a rule of the trie's shape, such as an entry in the wrong slot.
    #[error("it breaks the trie's shape")]
    Shape,
}

/// A node as it is stored: a branch knows its children by their hashes.
pub(super) enum StoredNode {
    Leaf(Vec<(Key, Entry)>),
    Branch(Box<[Option<StoredChild>; RADIX]>),
}

/// A child of a stored branch.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct StoredChild {
    pub(super) hash: TreeHash,
    pub(super) count: usize,
}

#[derive(Deserialize)]
struct Header {
    version: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Body {
    Entries(Vec<OwnedEntry>),
    Children(std::collections::BTreeMap<String, StoredChild>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum OwnedEntry {
    Page(Box<PageNode>),
    File(FileNode),
    ReusableContent(ReusableContentNode),
}

impl From<OwnedEntry> for Entry {
    fn from(entry: OwnedEntry) -> Self {
        match entry {
            OwnedEntry::Page(page) => Self::Page(Arc::from(page)),
            OwnedEntry::File(file) => Self::File(Arc::new(file)),
            OwnedEntry::ReusableContent(content) => Self::ReusableContent(Arc::new(content)),
        }
    }
}

impl Node {
    /// The node's bytes, as described in the crate's README.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let node = match &self.shape {
            Shape::Leaf(entries) => {
                let entries: Vec<Value> = entries.iter().map(|(_, entry)| entry_to_value(entry)).collect();
                json!({"version": VERSION, "entries": entries})
            }
            Shape::Branch(branch) => {
                let children: Map<String, Value> = (0_u32..)
                    .zip(&branch.slots)
                    .filter_map(|(slot, child)| {
                        let child = child.as_ref()?;
                        let digit = char::from_digit(slot, 16)?.to_string();
                        Some((digit, json!({"hash": child.hash(), "count": child.count()})))
                    })
                    .collect();
                json!({"version": VERSION, "children": children})
            }
        };
        canonical_json(&node)
    }
}

impl StoredNode {
    /// Reads a node's bytes and checks them against the hash they were asked by.
    pub(super) fn decode(hash: TreeHash, bytes: &[u8]) -> Result<Self, MalformedNode> {
        let actual = TreeHash::of_node(bytes);
        if actual != hash {
            return Err(MalformedNode::Hash(actual));
        }
        let Value::Object(mut node) = serde_json::from_slice(bytes)? else {
            return Err(MalformedNode::Shape);
        };
        let version = node.remove("version").unwrap_or_default();
        let Header { version } = Header::deserialize(json!({"version": version}))?;
        if version != VERSION {
            return Err(MalformedNode::Version(version));
        }
        match Body::deserialize(Value::Object(node))? {
            Body::Entries(entries) => {
                let entries = entries.into_iter().map(Entry::from);
                Ok(Self::Leaf(entries.map(|entry| (Key::of(entry.id()), entry)).collect()))
            }
            Body::Children(children) => {
                let mut slots = Box::new([None; RADIX]);
                for (digit, child) in children {
                    let digit = usize::from_str_radix(&digit, 16).ok();
                    let slot = digit.and_then(|digit| slots.get_mut(digit)).ok_or(MalformedNode::Shape)?;
                    *slot = Some(child);
                }
                Ok(Self::Branch(slots))
            }
        }
    }
}

/// Validates a stored leaf at the end of a path: its entries are in order, belong there, and are not too many.
pub(super) fn checked_leaf(
    hash: TreeHash,
    path: &[usize],
    entries: Vec<(Key, Entry)>,
) -> Result<Node, MalformedNode> {
    let in_order = entries.is_sorted_by(|(left, _), (right, _)| left < right);
    let in_place = entries
        .iter()
        .all(|(key, _)| path.iter().enumerate().all(|(depth, digit)| key.digit(depth) == *digit));
    if !in_order || !in_place || entries.len() > LEAF_CAPACITY || (entries.is_empty() && !path.is_empty()) {
        return Err(MalformedNode::Shape);
    }
    Ok(Node { hash: OnceLock::from(hash), shape: Shape::Leaf(entries) })
}

/// A branch as it was stored, over its loaded children.
pub(super) fn checked_branch(
    hash: TreeHash,
    slots: [Option<Arc<Node>>; RADIX],
) -> Result<Node, MalformedNode> {
    let count = slots.iter().flatten().map(|child| child.count()).sum();
    if count <= LEAF_CAPACITY {
        return Err(MalformedNode::Shape);
    }
    Ok(Node { hash: OnceLock::from(hash), shape: Shape::Branch(Branch { count, slots }) })
}

fn entry_to_value(entry: &Entry) -> Value {
    match entry {
        Entry::Page(page) => json!({"page": page.as_ref()}),
        Entry::File(file) => json!({"file": file.as_ref()}),
        Entry::ReusableContent(content) => json!({"reusableContent": content.as_ref()}),
    }
}
