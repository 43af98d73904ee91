//! Hashes that a stored node refers to.

use super::encoding::{MalformedNode, StoredNode};
use crate::entry::Entry;
use crate::hash::{BlobHash, DocumentId, TreeHash};

/// Hashes that a stored node of a tree refers to: the objects that must be stored for it to be readable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeReferences {
    /// Child nodes.
    pub children: Vec<TreeHash>,
    /// Documents of the pages and reusable contents.
    pub documents: Vec<DocumentId>,
    /// Bytes of the files.
    pub blobs: Vec<BlobHash>,
}

impl NodeReferences {
    /// Reads a node and checks that its bytes have the hash.
    ///
    /// # Errors
    /// [`MalformedNode`] if the bytes have another hash or are not a node.
    pub fn read(hash: TreeHash, bytes: &[u8]) -> Result<Self, MalformedNode> {
        let mut references = Self::default();
        match StoredNode::decode(hash, bytes)? {
            StoredNode::Leaf(entries) => {
                for (_, entry) in entries {
                    match entry {
                        Entry::Page(page) => references.documents.extend(page.document),
                        Entry::ReusableContent(content) => references.documents.extend(content.document),
                        Entry::File(file) => references.blobs.push(file.blob),
                    }
                }
            }
            StoredNode::Branch(slots) => {
                references.children.extend(slots.iter().flatten().map(|child| child.hash));
            }
        }
        Ok(references)
    }
}
