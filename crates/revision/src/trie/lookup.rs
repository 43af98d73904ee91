//! Lookup of one entry in many stored tries without loading them.

use std::collections::{BTreeSet, HashMap};

use super::encoding::StoredNode;
use super::{FetchError, KEY_DIGITS, Key};
use crate::entry::{Entry, EntryId};
use crate::hash::TreeHash;

/// Returns the entry in each of the tries with these roots. `fetch` is called once per level of the path to the entry,
/// with the hashes of the nodes of all tries at that level.
pub(crate) fn entry_in_all<E>(
    roots: &[TreeHash],
    id: EntryId,
    mut fetch: impl FnMut(&[TreeHash]) -> Result<Vec<(TreeHash, Vec<u8>)>, E>,
) -> Result<Vec<Option<Entry>>, FetchError<E>> {
    let key = Key::of(id);
    let mut found: HashMap<TreeHash, Option<Entry>> = HashMap::new();
    // Nodes at the current level, each with the roots of the tries that contain it.
    let mut level: HashMap<TreeHash, Vec<TreeHash>> = HashMap::new();
    for root in roots.iter().collect::<BTreeSet<_>>() {
        level.insert(*root, vec![*root]);
    }
    for depth in 0..=KEY_DIGITS {
        let mut hashes: Vec<TreeHash> = level.keys().copied().collect();
        if hashes.is_empty() {
            break;
        }
        hashes.sort_unstable();
        let mut below: HashMap<TreeHash, Vec<TreeHash>> = HashMap::new();
        for (hash, bytes) in fetch(&hashes).map_err(FetchError::Store)? {
            let Some(roots) = level.remove(&hash) else { continue };
            match StoredNode::decode(hash, &bytes).map_err(|cause| FetchError::Malformed(hash, cause))? {
                StoredNode::Leaf(entries) => {
                    let entry = entries.into_iter().find(|(other, _)| *other == key).map(|(_, entry)| entry);
                    found.extend(roots.into_iter().map(|root| (root, entry.clone())));
                }
                StoredNode::Branch(children) => match children.get(key.digit(depth)).copied().flatten() {
                    Some(child) => below.entry(child.hash).or_default().extend(roots),
                    None => found.extend(roots.into_iter().map(|root| (root, None))),
                },
            }
        }
        if let Some(missing) = level.keys().next() {
            return Err(FetchError::Missing(*missing));
        }
        level = below;
    }
    Ok(roots.iter().map(|root| found.get(root).cloned().flatten()).collect())
}
