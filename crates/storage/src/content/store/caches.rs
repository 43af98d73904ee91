//! Caches of immutable content.

use std::sync::Arc;

use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, OpenApiSpecVersionId, PageId, RevisionId, SpaceId};
use quire_revision::{Tree, TreeHash};

use super::analysis::{self, QuotedNode, SectionFact};
use super::nearest::{NearestCache, Weights};
use super::weighed::{Admission, WeighedCache};
use crate::CacheBudget;
use crate::content::links::IndexedTree;
use crate::content::openapi_specs::Outline;
use crate::content::store::RevisionRecord;

/// Caches of immutable content. A lost entry costs time, but never correctness.
pub(crate) struct Caches {
    /// Complete trees.
    pub(super) trees: NearestCache<Tree>,
    /// Revisions created by this process.
    pub(super) heads: WeighedCache<(SpaceId, RevisionId), RevisionRecord>,
    pub(super) documents: WeighedCache<(SpaceId, DocumentId), DocumentJson>,
    /// Sections of documents by hash, independent of the space.
    pub(crate) sections: WeighedCache<DocumentId, Arc<[SectionFact]>>,
    /// Current nodes of comments, keyed by the original and the current document and the original node; `None` for
    /// nodes that were not found.
    pub(crate) anchors: WeighedCache<((DocumentId, DocumentId), QuotedNode), Option<QuotedNode>>,
    /// Nodes of comments that moved to other pages; `None` for nodes that no page has gained.
    pub(crate) moved_anchors: WeighedCache<MovedAnchor, Option<(PageId, QuotedNode)>>,
    /// Link indexes of complete trees.
    pub(crate) links: NearestCache<Arc<IndexedTree>>,
    /// Outlines of OpenAPI specification versions.
    pub(crate) outlines: WeighedCache<OpenApiSpecVersionId, Arc<Outline>>,
}

/// Key of a node that its page no longer contains: the merge base and the head of the change request, the page, the
/// page's document when the comment was posted, and the node in that document.
pub(crate) type MovedAnchor = ([TreeHash; 2], PageId, DocumentId, QuotedNode);

/// Size of each cache of anchors in bytes. An entry has about 300 bytes.
const ANCHOR_CACHE_BYTES: u64 = 1 << 20;

/// Size of the cache of revisions in bytes: the next edit of a space needs its current revision.
const HEAD_CACHE_BYTES: u64 = 1 << 20;

impl Caches {
    pub(crate) fn new(budget: CacheBudget) -> Self {
        // Each request for a space needs its tree, and each computed page its outline, regardless of their size.
        let recent = |bytes: u64| (bytes, Admission::Recent);
        let popular = |bytes: u64| (bytes, Admission::Popular);
        Self {
            trees: NearestCache::new(
                recent(budget.trees()),
                Weights { alone: Tree::approximate_bytes, beyond: Tree::approximate_bytes_beyond },
            ),
            heads: WeighedCache::new(recent(HEAD_CACHE_BYTES), |_| size_of::<RevisionRecord>()),
            documents: WeighedCache::new(popular(budget.documents()), |document| document.as_bytes().len()),
            sections: WeighedCache::new(popular(budget.sections()), |sections| {
                analysis::weight_of_sections(sections)
            }),
            anchors: WeighedCache::new(recent(ANCHOR_CACHE_BYTES), |node| {
                // The key contains the same quote.
                node.as_ref().map_or(0, QuotedNode::weight).saturating_mul(2)
            }),
            moved_anchors: WeighedCache::new(recent(ANCHOR_CACHE_BYTES), |moved| {
                moved.as_ref().map_or(0, |(_, node)| node.weight()).saturating_mul(2)
            }),
            links: NearestCache::new(
                recent(budget.links()),
                Weights {
                    alone: |links| links.approximate_bytes(),
                    beyond: |links, other| links.approximate_bytes_beyond(other),
                },
            ),
            outlines: WeighedCache::new(recent(budget.computed().div_euclid(2)), |outline| {
                outline.approximate_bytes()
            }),
        }
    }
}

/// Size of each cache in bytes, as weighed by the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheSizes {
    /// Revisions created by this process.
    pub revisions: u64,
    /// Trees of pages.
    pub trees: u64,
    /// Documents.
    pub documents: u64,
    /// Sections of documents.
    pub sections: u64,
    /// Indexes of links.
    pub links: u64,
    /// Outlines of OpenAPI specifications.
    pub outlines: u64,
    /// Overlays with pages that the search index lacks.
    pub search_overlays: u64,
    /// Scores of frequent words in the search index.
    pub search_scores: u64,
}

impl CacheSizes {
    /// Returns the sizes with their names in the metrics.
    #[must_use]
    pub fn by_name(self) -> [(&'static str, u64); 8] {
        [
            ("revisions", self.revisions),
            ("trees", self.trees),
            ("documents", self.documents),
            ("sections", self.sections),
            ("links", self.links),
            ("outlines", self.outlines),
            ("search_overlays", self.search_overlays),
            ("search_scores", self.search_scores),
        ]
    }
}

impl Caches {
    /// Returns the sizes, except those of the search.
    pub(crate) fn sizes(&self) -> CacheSizes {
        CacheSizes {
            revisions: self.heads.weight(),
            trees: self.trees.weight(),
            documents: self.documents.weight(),
            sections: self.sections.weight(),
            links: self.links.weight(),
            outlines: self.outlines.weight(),
            ..CacheSizes::default()
        }
    }
}
