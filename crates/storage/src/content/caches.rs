//! Caches of immutable content.

use std::sync::Arc;

use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, OpenApiSpecVersionId, RevisionId, SpaceId};
use quire_revision::{Tree, TreeHash};

use super::analysis::{self, SectionFact};
use super::weighed::WeighedCache;
use crate::links::IndexedTree;
use crate::lookup::RevisionRecord;
use crate::openapi_specs::Outline;

/// Immutable content in memory. Losing it costs time, never correctness.
pub(crate) struct Caches {
    /// Whole trees.
    pub(super) trees: WeighedCache<(SpaceId, TreeHash), Tree>,
    /// The tree last used of each space: another of its trees is loaded as the difference from it.
    pub(super) nearest: WeighedCache<SpaceId, Tree>,
    /// Revisions that this process made.
    pub(super) heads: WeighedCache<(SpaceId, RevisionId), RevisionRecord>,
    pub(super) documents: WeighedCache<(SpaceId, DocumentId), DocumentJson>,
    /// Sections of documents by hash, independent of the space.
    pub(crate) sections: WeighedCache<DocumentId, Arc<[SectionFact]>>,
    /// The links of whole trees.
    pub(crate) links: WeighedCache<(SpaceId, TreeHash), Arc<IndexedTree>>,
    /// Those last used of each space: another tree's are made as the difference from them.
    pub(crate) nearest_links: WeighedCache<SpaceId, Arc<IndexedTree>>,
    /// The pages of versions of OpenAPI specifications, without their bodies.
    pub(crate) outlines: WeighedCache<OpenApiSpecVersionId, Arc<Outline>>,
}

/// Bytes that the outlines of OpenAPI specifications may take in memory: those of a few dozen large ones.
const OUTLINE_CACHE_BYTES: u64 = 32 << 20;
/// Bytes of revisions: the next edit of a space follows the one before it.
const HEAD_CACHE_BYTES: u64 = 1 << 20;
/// Share of a cache that a single value may take.
const PARTS: u64 = 8;
/// Share of a cache that a single tree may take: each request for a large space needs its tree.
const TREE_PARTS: u64 = 1;
/// Capacity for sections of documents. They are used again soon after an edit, by its merge.
const SECTION_CACHE_BYTES: u64 = 16 << 20;

impl Caches {
    pub(crate) fn new(tree_bytes: u64, document_bytes: u64, link_bytes: u64) -> Self {
        let (half_of_trees, half_of_links) = (tree_bytes.div_euclid(2), link_bytes.div_euclid(2));
        let weight_of_links = |links: &Arc<IndexedTree>| links.approximate_bytes();
        Self {
            trees: WeighedCache::new(half_of_trees, TREE_PARTS, Tree::approximate_bytes),
            nearest: WeighedCache::new(half_of_trees, TREE_PARTS, Tree::approximate_bytes),
            heads: WeighedCache::new(HEAD_CACHE_BYTES, PARTS, |_| size_of::<RevisionRecord>()),
            documents: WeighedCache::new(document_bytes, PARTS, |document| document.as_bytes().len()),
            sections: WeighedCache::new(SECTION_CACHE_BYTES, PARTS, |sections| {
                analysis::weight_of_sections(sections)
            }),
            links: WeighedCache::new(half_of_links, TREE_PARTS, weight_of_links),
            nearest_links: WeighedCache::new(half_of_links, TREE_PARTS, weight_of_links),
            outlines: WeighedCache::new(OUTLINE_CACHE_BYTES, PARTS, |outline| outline.approximate_bytes()),
        }
    }
}
