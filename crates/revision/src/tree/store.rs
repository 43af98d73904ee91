//! Loading trees from their stored nodes, and finding the nodes to store.

use std::sync::Arc;

use super::{LoadError, Tree};
use crate::entry::{Entry, EntryId, PageNode};
use crate::hash::TreeHash;
use crate::id::PageId;
use crate::trie;

impl Tree {
    /// Loads the tree with this root on top of `base`, a tree in memory, at a cost proportional to their difference.
    /// With [`Tree::empty`] as `base`, loads the whole tree.
    ///
    /// `fetch` gets the hashes of all nodes needed at one level of the tree and returns them with their bytes, in any
    /// order. It is called once per level, at most about five times for a tree of 10,000 records, and never for a tree
    /// that equals `base` or is empty.
    ///
    /// # Errors
    /// [`LoadError`] if `fetch` fails, or if its nodes are not the tree with this root.
    pub fn load<E>(
        base: &Self,
        root: TreeHash,
        mut fetch: impl FnMut(&[TreeHash]) -> Result<Vec<(TreeHash, Vec<u8>)>, E>,
    ) -> Result<Self, LoadError<E>> {
        let hashes_of = |nodes: &[(usize, TreeHash)]| nodes.iter().map(|(_, hash)| *hash).collect::<Vec<_>>();
        let mut trees = Self::load_all(&[(base, root)], |nodes| fetch(&hashes_of(nodes)))?;
        Ok(trees.pop().unwrap_or_else(Self::empty))
    }

    /// Loads several trees, each like [`Tree::load`], with one call of `fetch` per level for all of them together.
    ///
    /// `fetch` receives, with each hash, the index in `wanted` of a tree that needs the node.
    ///
    /// # Errors
    /// As [`Tree::load`].
    pub fn load_all<E>(
        wanted: &[(&Self, TreeHash)],
        fetch: impl FnMut(&[(usize, TreeHash)]) -> Result<Vec<(TreeHash, Vec<u8>)>, E>,
    ) -> Result<Vec<Self>, LoadError<E>> {
        let empty = Self::empty();
        // The empty tree is not stored. With itself as base, nothing is fetched.
        let wanted: Vec<(&Self, TreeHash)> = wanted
            .iter()
            .map(|(base, root)| if *root == empty.root() { (&empty, *root) } else { (*base, *root) })
            .collect();
        let tries: Vec<_> = wanted.iter().map(|(base, root)| (&base.trie, *root)).collect();
        let loaded = trie::fetch_all(&tries, fetch)?;
        let trees = wanted.iter().zip(loaded).map(|((base, _), trie)| {
            let mut tree = (*base).clone();
            tree.apply_to_indexes(&trie::differences(&base.trie, &trie)).map_err(LoadError::Inconsistent)?;
            tree.trie = trie;
            Ok(tree)
        });
        trees.collect()
    }

    /// Returns the record of a page in each of the trees with these roots, without loading the trees. Only the nodes on
    /// the path to the record are fetched, and shared nodes once.
    ///
    /// `fetch` is called as for [`Tree::load`].
    ///
    /// # Errors
    /// As [`Tree::load`].
    pub fn page_in_all<E>(
        roots: &[TreeHash],
        page: PageId,
        mut fetch: impl FnMut(&[TreeHash]) -> Result<Vec<(TreeHash, Vec<u8>)>, E>,
    ) -> Result<Vec<Option<Arc<PageNode>>>, LoadError<E>> {
        // The node of the empty tree is not stored.
        let empty = Self::empty().root();
        let stored: Vec<TreeHash> = roots.iter().copied().filter(|root| *root != empty).collect();
        let entries = trie::entry_in_all(&stored, EntryId::Page(page), &mut fetch)?;
        let mut entries = entries.into_iter();
        let of_root = |root: &TreeHash| match (*root != empty).then(|| entries.next())?? {
            Some(Entry::Page(page)) => Some(page),
            _ => None,
        };
        Ok(roots.iter().map(of_root).collect())
    }

    /// Returns the nodes to store for this tree, given that `base` is stored: hashes and bytes. For an edit of one
    /// record these are the nodes on its path. The empty tree's node is never needed.
    #[must_use]
    pub fn nodes_missing_in(&self, base: &Self) -> Vec<(TreeHash, Vec<u8>)> {
        if self.is_empty() { Vec::new() } else { trie::nodes_missing_in(&base.trie, &self.trie) }
    }
}
