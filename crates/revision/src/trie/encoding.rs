//! Encoding of nodes, version 1.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Branch, Key, LEAF_CAPACITY, Node, RADIX, Shape};
use crate::canonical::canonical_json;
use crate::entry::{Entry, FileNode, PageKind, PageNode, ReusableContentNode};
use crate::hash::TreeHash;

/// Version of the encoding: the one that this release writes, and the only one that it reads.
const VERSION: u64 = 1;
/// Initial capacity in bytes for an encoded node, enough for a dozen records.
const ENCODED: usize = 4 << 10;

/// Reason for bytes not to be a valid node, or not the expected one.
#[derive(Debug, thiserror::Error)]
pub enum MalformedNode {
    /// The bytes are not JSON, or not in the form of a node.
    #[error("it can't be decoded")]
    Decode(#[from] serde_json::Error),
    /// The node was written by a newer release.
    #[error("its encoding has version {0}, this release reads version {VERSION}")]
    Version(u64),
    /// The bytes do not have the requested hash.
    #[error("its bytes have the hash {0}")]
    Hash(TreeHash),
    /// The node violates the structure of the trie, such as with an entry in the wrong slot.
    #[error("it breaks the trie's shape")]
    Shape,
}

/// Stored node. A branch refers to its children by hash.
pub(super) enum StoredNode {
    Leaf(Vec<(Key, Entry)>),
    Branch(Box<[Option<StoredChild>; RADIX]>),
}

/// Child of a stored branch.
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
    /// Encodes the node, as described in the crate's README.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(ENCODED);
        match &self.shape {
            Shape::Leaf(entries) => {
                out.extend_from_slice(b"{\"entries\":[");
                for (index, (_, entry)) in entries.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    write_entry(&mut out, entry);
                }
                out.push(b']');
            }
            Shape::Branch(branch) => {
                out.extend_from_slice(b"{\"children\":{");
                let children = ('0'..='9').chain('a'..='f').zip(&branch.slots);
                let children = children.filter_map(|(digit, child)| Some((digit, child.as_ref()?)));
                for (index, (digit, child)) in children.enumerate() {
                    let comma = if index > 0 { "," } else { "" };
                    let (count, hash) = (child.count(), child.hash());
                    let child = format!("{comma}\"{digit}\":{{\"count\":{count},\"hash\":\"{hash}\"}}");
                    out.extend_from_slice(child.as_bytes());
                }
                out.push(b'}');
            }
        }
        out.extend_from_slice(format!(",\"version\":{VERSION}}}").as_bytes());
        out
    }
}

impl StoredNode {
    /// Decodes a node and checks its bytes against the requested hash.
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

/// Validates a stored leaf at the end of a path: its entries are in order, have keys that begin with the path, and are
/// at most [`LEAF_CAPACITY`].
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

/// Returns a stored branch with its loaded children.
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

/// Writes a record as canonical JSON. Record fields are declared in canonical order, so `serde_json` can write a record
/// directly, unless it holds a JSON value or a tagged enumeration with fields.
fn write_entry(out: &mut Vec<u8>, entry: &Entry) {
    let start = out.len();
    let written = match entry {
        Entry::Page(page) if is_plain(page) => write_record(out, "page", page.as_ref()),
        Entry::Page(_) => false,
        Entry::File(file) => write_record(out, "file", file.as_ref()),
        Entry::ReusableContent(content) => write_record(out, "reusableContent", content.as_ref()),
    };
    if !written {
        out.truncate(start);
        out.extend(canonical_json(&entry_to_value(entry)));
    }
}

fn is_plain(page: &PageNode) -> bool {
    let has_fields = matches!(page.kind, PageKind::Link { .. } | PageKind::Computed { .. });
    !has_fields && page.cover.is_none() && page.layout.is_none()
}

fn write_record(out: &mut Vec<u8>, key: &str, record: &impl Serialize) -> bool {
    out.extend_from_slice(b"{\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
    let written = serde_json::to_writer(&mut *out, record);
    out.push(b'}');
    written.is_ok()
}

fn entry_to_value(entry: &Entry) -> Value {
    match entry {
        Entry::Page(page) => json!({"page": page.as_ref()}),
        Entry::File(file) => json!({"file": file.as_ref()}),
        Entry::ReusableContent(content) => json!({"reusableContent": content.as_ref()}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Dimensions, GitBlob};
    use crate::hash::{BlobHash, DocumentId};
    use crate::id::{FileId, PageId, ReusableContentId};
    use crate::position::Position;

    const TEXT: &str = "a \"b\" \\ \n\t\u{1}\u{1f}\u{7f} é\u{2028}😀 </script>";

    fn page(kind: PageKind) -> PageNode {
        let id = PageId::from_uuid(uuid::Uuid::from_u128(7));
        PageNode {
            emoji: Some("📘".to_owned()),
            icon: Some("book".to_owned()),
            description: Some(TEXT.to_owned()),
            link_title: Some(TEXT.to_owned()),
            hidden: true,
            no_index: true,
            no_robots_index: true,
            document: Some(DocumentId::of(&json!({}))),
            created_at: Some(-1),
            updated_at: Some(1_700_000_000_000),
            git: Some(Box::new(GitBlob { oid: "0a".to_owned(), path: TEXT.to_owned() })),
            ..PageNode::new(id, Some(id), Position::first(), kind, TEXT, "a-b")
        }
    }

    #[test]
    fn records_are_written_as_canonical_json() {
        let cover =
            PageNode { cover: Some(Box::new(json!({"z": 1, "a": {"y": null}}))), ..page(PageKind::Document) };
        let layout = PageNode { layout: Some(Box::new(json!("wide"))), ..page(PageKind::Group) };
        let link = page(PageKind::Link { target: json!({"kind": "url", "url": TEXT}) });
        let computed = page(PageKind::Computed { source: json!({"b": 1, "a": 2}), seed: "s".to_owned() });
        let file = FileNode {
            id: FileId::from_uuid(uuid::Uuid::from_u128(8)),
            name: TEXT.to_owned(),
            content_type: "image/png".to_owned(),
            size: u64::MAX,
            dimensions: Some(Dimensions { width: 1, height: 2 }),
            blob: BlobHash::of(b""),
            created_at: Some(0),
            git: None,
        };
        let content = ReusableContentNode {
            id: ReusableContentId::from_uuid(uuid::Uuid::from_u128(9)),
            title: TEXT.to_owned(),
            document: Some(DocumentId::of(&json!(1))),
            created_at: Some(1),
            updated_at: Some(2),
            git: Some(GitBlob { oid: String::new(), path: String::new() }),
        };
        let pages = [page(PageKind::Document), page(PageKind::Group), cover, layout, link, computed];
        let entries = pages.map(|page| Entry::Page(Arc::new(page))).into_iter();
        let others = [Entry::File(Arc::new(file)), Entry::ReusableContent(Arc::new(content))];
        for entry in entries.chain(others) {
            let mut out = Vec::new();
            write_entry(&mut out, &entry);
            let canonical = canonical_json(&entry_to_value(&entry));
            assert_eq!(String::from_utf8(out).unwrap(), String::from_utf8(canonical).unwrap());
        }
    }
}
