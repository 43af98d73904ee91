//! Trees with their computed pages, kept in memory.

use std::sync::Arc;

use moka::sync::Cache;
use quire_domain::ids::OpenApiSpecVersionId;
use quire_revision::{Tree, TreeHash};

use super::pages::Computed;

/// Bytes that expanded trees may take in memory; what they share with each other is counted in each.
const CACHE_BYTES: u64 = 64 << 20;
/// About how many bytes it takes to know what a page is computed from.
const BYTES_A_PAGE: usize = 64;

/// What an expanded tree follows from: the stored tree, which names the specifications and seeds, and the version of each
/// specification, in the order of the place-holders; `None` for one without a version.
pub(super) type Key = (TreeHash, Vec<Option<OpenApiSpecVersionId>>);

/// Trees with computed pages in place of their place-holders, as they were made for earlier requests: a page of a large specification
/// is then served without making all the others again. What a tree is made of never changes, so nothing here is ever out of date.
#[derive(Clone, Debug)]
pub struct Expansions(Cache<Key, (Tree, Arc<Computed>)>);

impl Default for Expansions {
    fn default() -> Self {
        let bytes = |(tree, computed): &(Tree, Arc<Computed>)| {
            tree.approximate_bytes().saturating_add(computed.len().saturating_mul(BYTES_A_PAGE))
        };
        let cache = Cache::builder()
            .max_capacity(CACHE_BYTES)
            .weigher(move |_, expanded| u32::try_from(bytes(expanded)).unwrap_or(u32::MAX))
            .build();
        Self(cache)
    }
}

impl Expansions {
    /// The tree that was made of this.
    pub(super) fn get(&self, key: &Key) -> Option<(Tree, Arc<Computed>)> {
        self.0.get(key)
    }

    /// Keeps a tree for the next request.
    pub(super) fn keep(&self, key: Key, tree: &Tree, computed: &Arc<Computed>) {
        self.0.insert(key, (tree.clone(), computed.clone()));
    }
}
