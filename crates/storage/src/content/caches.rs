//! Caches of immutable content.

use std::hash::Hash;
use std::sync::Arc;

use moka::sync::Cache;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, OpenApiSpecVersionId, SpaceId};
use quire_revision::{Tree, TreeHash};

use super::analysis::{self, SectionFact};
use crate::links::IndexedTree;
use crate::openapi_specs::Outline;

/// Immutable content in memory. Losing it costs time, never correctness.
pub(crate) struct Caches {
    /// Whole trees.
    pub(super) trees: Cache<(SpaceId, TreeHash), Tree>,
    /// The tree last used of each space: another of its trees is loaded as the difference from it.
    pub(super) nearest: Cache<SpaceId, Tree>,
    pub(super) documents: Cache<(SpaceId, DocumentId), DocumentJson>,
    /// Sections of documents by hash, independent of the space.
    pub(crate) sections: Cache<DocumentId, Arc<[SectionFact]>>,
    /// The links of whole trees.
    pub(crate) links: Cache<(SpaceId, TreeHash), Arc<IndexedTree>>,
    /// Those last used of each space: another tree's are made as the difference from them.
    pub(crate) nearest_links: Cache<SpaceId, Arc<IndexedTree>>,
    /// The pages of versions of OpenAPI specifications, without their bodies.
    pub(crate) outlines: Cache<OpenApiSpecVersionId, Arc<Outline>>,
}

/// Bytes that the outlines of OpenAPI specifications may take in memory: those of a few dozen large ones.
const OUTLINE_CACHE_BYTES: u64 = 32 << 20;
/// Capacity for sections of documents. They are used again soon after an edit, by its merge.
const SECTION_CACHE_BYTES: u64 = 16 << 20;

impl Caches {
    pub(crate) fn new(tree_bytes: u64, document_bytes: u64, link_bytes: u64) -> Self {
        Self {
            trees: trees(tree_bytes.div_euclid(2)),
            nearest: trees(tree_bytes.div_euclid(2)),
            documents: Cache::builder()
                .max_capacity(document_bytes)
                .weigher(|_, document: &DocumentJson| weight(document))
                .build(),
            sections: Cache::builder()
                .max_capacity(SECTION_CACHE_BYTES)
                .weigher(|_, sections: &Arc<[SectionFact]>| analysis::weight_of_sections(sections))
                .build(),
            links: indexes(link_bytes.div_euclid(2)),
            nearest_links: indexes(link_bytes.div_euclid(2)),
            outlines: Cache::builder()
                .max_capacity(OUTLINE_CACHE_BYTES)
                .weigher(|_, outline: &Arc<Outline>| outline.approximate_bytes())
                .build(),
        }
    }
}

/// Trees, of this weight at most.
fn trees<K: Eq + Hash + Send + Sync + 'static>(bytes: u64) -> Cache<K, Tree> {
    Cache::builder()
        .max_capacity(bytes)
        .weigher(|_, tree: &Tree| u32::try_from(tree.approximate_bytes()).unwrap_or(u32::MAX))
        .build()
}

/// Indexes of links, of this weight at most.
fn indexes<K: Eq + Hash + Send + Sync + 'static>(bytes: u64) -> Cache<K, Arc<IndexedTree>> {
    Cache::builder()
        .max_capacity(bytes)
        .weigher(|_, links: &Arc<IndexedTree>| u32::try_from(links.approximate_bytes()).unwrap_or(u32::MAX))
        .build()
}

/// Memory of a cached document in bytes: its text, and what the cache keeps of an entry.
fn weight(document: &DocumentJson) -> u32 {
    const ENTRY: usize = 256;
    u32::try_from(document.as_bytes().len().saturating_add(ENTRY)).unwrap_or(u32::MAX)
}
