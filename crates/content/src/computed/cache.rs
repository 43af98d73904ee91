//! Cache of expanded trees.

use std::sync::Arc;

use quire_cache::{Cache, EvictionPolicy};
use quire_revision::{Tree, TreeHash};

use super::pages::Computed;

/// Maximum number of cached roots of trees without placeholders. Each takes some 200 bytes.
const PLAIN_TREES: u64 = 16_384;
/// Approximate size of the source of a computed page, in bytes.
const BYTES_A_PAGE: usize = 64;

/// Inputs of an expanded tree: the hash of the stored tree, which covers names of specifications and seeds, and the
/// state of each specification in the order of the placeholders. `None` for a specification without a version.
pub(super) type Key = (TreeHash, Vec<Option<String>>);

/// Cache of expanded trees, so that a request for one page of a large specification does not compute all others again.
/// The inputs of an expansion are immutable, so entries never become outdated.
#[derive(Clone, Debug)]
pub struct Expansions {
    trees: Cache<Key, (Tree, Arc<Computed>)>,
    /// Roots of trees without placeholders. Reads of these need not load the tree.
    plain: Cache<TreeHash, ()>,
}

impl Expansions {
    /// Creates a cache of this many bytes.
    #[must_use]
    pub fn new(bytes_of_trees: u64) -> Self {
        let bytes = |(tree, computed): &(Tree, Arc<Computed>)| {
            tree.approximate_bytes().saturating_add(computed.len().saturating_mul(BYTES_A_PAGE))
        };
        // Caps the weight, so that even a tree larger than the cache is kept: each page of a large specification needs
        // it.
        let heaviest = u32::try_from(bytes_of_trees).unwrap_or(u32::MAX);
        let trees = Cache::builder()
            .max_capacity(bytes_of_trees)
            // LRU, because an edit makes another tree, which must be kept however often the previous one was read.
            .eviction_policy(EvictionPolicy::lru())
            .weigher(move |_, expanded| {
                u32::try_from(bytes(expanded)).map_or(heaviest, |bytes| bytes.min(heaviest))
            })
            .build();
        Self { trees, plain: Cache::new(PLAIN_TREES) }
    }

    /// Returns the approximate size of all cached trees, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.trees.weighted_size()
    }

    /// Returns whether the tree with this root is known to have no placeholders.
    #[must_use]
    pub fn is_plain(&self, root: TreeHash) -> bool {
        // Unlike `contains_key`, this counts as a use and so keeps the root in the cache.
        self.plain.get(&root).is_some()
    }

    /// Records that the tree with this root has no placeholders.
    pub(super) fn keep_plain(&self, root: TreeHash) {
        if !self.is_plain(root) {
            self.plain.insert(root, ());
        }
    }

    /// Returns the tree for these inputs, if it is cached.
    pub(super) fn get(&self, key: &Key) -> Option<(Tree, Arc<Computed>)> {
        self.trees.get(key)
    }

    /// Caches a tree for later requests.
    pub(super) fn keep(&self, key: Key, tree: &Tree, computed: &Arc<Computed>) {
        self.trees.insert(key, (tree.clone(), computed.clone()));
    }
}
