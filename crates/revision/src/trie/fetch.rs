//! Loading of tries from stored nodes, one level at a time, on top of tries in memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::encoding::{MalformedNode, StoredChild, StoredNode, checked_branch, checked_leaf};
use super::{KEY_DIGITS, Node, RADIX, Shape};
use crate::hash::TreeHash;

/// Failure to build a trie from its store.
pub(crate) enum FetchError<E> {
    /// The store failed.
    Store(E),
    /// The store doesn't have this node.
    Missing(TreeHash),
    /// The stored bytes of this hash are not a valid node.
    Malformed(TreeHash, MalformedNode),
}

/// Node of a wanted trie to fetch, with the node of the trie in memory at the same path.
struct MissingNode<'a> {
    trie: usize,
    hash: TreeHash,
    present: Option<&'a Arc<Node>>,
}

/// Fetches the tries with these roots, each on top of a trie in memory. `fetch` is called once per level for all tries
/// together. It receives the hashes of the nodes that the tries in memory do not have at the same path, each with the
/// index of a trie that needs it.
pub(crate) fn fetch_all<E>(
    wanted: &[(&Arc<Node>, TreeHash)],
    mut fetch: impl FnMut(&[(usize, TreeHash)]) -> Result<Vec<(TreeHash, Vec<u8>)>, E>,
) -> Result<Vec<Arc<Node>>, FetchError<E>> {
    let mut stored: HashMap<TreeHash, StoredNode> = HashMap::new();
    let roots = wanted.iter().enumerate();
    let mut level: Vec<MissingNode<'_>> = roots
        .map(|(trie, (present, root))| MissingNode { trie, hash: *root, present: Some(present) })
        .collect();
    for _ in 0..=KEY_DIGITS {
        level.retain(|wanted| wanted.present.is_none_or(|present| present.hash() != wanted.hash));
        let needed = level.iter().filter(|wanted| !stored.contains_key(&wanted.hash));
        let unique: BTreeMap<TreeHash, usize> = needed.map(|wanted| (wanted.hash, wanted.trie)).collect();
        let hashes: Vec<(usize, TreeHash)> = unique.into_iter().map(|(hash, trie)| (trie, hash)).collect();
        if !hashes.is_empty() {
            for (hash, bytes) in fetch(&hashes).map_err(FetchError::Store)? {
                let node =
                    StoredNode::decode(hash, &bytes).map_err(|cause| FetchError::Malformed(hash, cause))?;
                stored.insert(hash, node);
            }
        }
        level = next_level(&level, &stored)?;
        if level.is_empty() {
            break;
        }
    }
    wanted.iter().map(|(present, root)| assemble(&stored, Some(present), *root, &mut Vec::new())).collect()
}

/// Returns the children of a level's branches that must be fetched.
fn next_level<'a, E>(
    level: &[MissingNode<'a>],
    stored: &HashMap<TreeHash, StoredNode>,
) -> Result<Vec<MissingNode<'a>>, FetchError<E>> {
    let mut next = Vec::new();
    for MissingNode { trie, hash, present } in level {
        if let StoredNode::Branch(children) = stored.get(hash).ok_or(FetchError::Missing(*hash))? {
            let children = children.iter().enumerate();
            next.extend(children.filter_map(|(slot, child)| {
                Some(MissingNode { trie: *trie, hash: (*child)?.hash, present: child_of(*present, slot) })
            }));
        }
    }
    Ok(next)
}

/// Builds the subtree with this hash at the end of a path. Equal parts are shared with `present`.
fn assemble<E>(
    stored: &HashMap<TreeHash, StoredNode>,
    present: Option<&Arc<Node>>,
    hash: TreeHash,
    path: &mut Vec<usize>,
) -> Result<Arc<Node>, FetchError<E>> {
    if let Some(present) = present.filter(|present| present.hash() == hash) {
        return Ok(Arc::clone(present));
    }
    let malformed = |cause| FetchError::Malformed(hash, cause);
    let node = match stored.get(&hash).ok_or(FetchError::Missing(hash))? {
        StoredNode::Leaf(entries) => checked_leaf(hash, path, entries.clone()),
        StoredNode::Branch(children) => {
            let mut slots: [Option<Arc<Node>>; RADIX] = Default::default();
            for (slot, (child, loaded_child)) in children.iter().zip(&mut slots).enumerate() {
                let Some(StoredChild { hash: child, count }) = child else { continue };
                path.push(slot);
                let loaded = assemble(stored, child_of(present, slot), *child, path)?;
                path.pop();
                if loaded.count() != *count {
                    return Err(malformed(MalformedNode::Shape));
                }
                *loaded_child = Some(loaded);
            }
            checked_branch(hash, slots)
        }
    };
    node.map(Arc::new).map_err(malformed)
}

fn child_of(node: Option<&Arc<Node>>, slot: usize) -> Option<&Arc<Node>> {
    match &node?.shape {
        Shape::Branch(branch) => branch.slots.get(slot)?.as_ref(),
        Shape::Leaf(_) => None,
    }
}
