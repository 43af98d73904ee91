//! Caches of immutable content.

use std::hash::Hash;
use std::sync::Arc;

use moka::sync::Cache;
use quire_domain::ids::{DocumentId, OpenApiSpecVersionId, SpaceId};
use quire_revision::{Tree, TreeHash};
use serde_json::Value;

use super::analysis::{self, SectionFact};
use crate::links::IndexedTree;
use crate::openapi_specs::Outline;

/// Immutable content in memory. Losing it costs time, never correctness.
pub(crate) struct Caches {
    /// Whole trees.
    pub(super) trees: Cache<(SpaceId, TreeHash), Tree>,
    /// The tree last used of each space: another of its trees is loaded as the difference from it.
    pub(super) nearest: Cache<SpaceId, Tree>,
    pub(super) documents: Cache<(SpaceId, DocumentId), Arc<Value>>,
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
                .weigher(|_, document: &Arc<Value>| weight(document))
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

/// Approximate memory of a JSON value in bytes.
///
/// A map is a B-tree. The smallest one allocates a leaf with room for eleven keys and values, of 24 and 32 bytes each on
/// 64-bit machines. Leaves of larger maps are about two thirds full.
fn weight(value: &Value) -> u32 {
    const VALUE: u32 = 32;
    const LEAF: u32 = 640;
    const ENTRIES: u32 = 7;
    let length = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
    let inner = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => length(text.len()),
        Value::Array(items) => items.iter().map(weight).fold(0, u32::saturating_add),
        Value::Object(entries) => {
            let leaves = length(entries.len()).div_ceil(ENTRIES).saturating_mul(LEAF);
            let of_entry = |(key, value): (&String, &Value)| weight(value).saturating_add(length(key.len()));
            entries.iter().map(of_entry).fold(leaves, u32::saturating_add)
        }
    };
    inner.saturating_add(VALUE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::weight;

    #[test]
    fn a_map_weighs_the_node_that_it_allocates() {
        assert!(
            (600..=800).contains(&weight(&json!({"kind": "url"}))),
            "{}",
            weight(&json!({"kind": "url"}))
        );
        let many: serde_json::Map<String, serde_json::Value> =
            (0..700).map(|number| (number.to_string(), json!(number))).collect();
        let weight_of_many = weight(&many.into());
        assert!((60_000..=120_000).contains(&weight_of_many), "{weight_of_many}");
        assert!(weight(&json!(["a", "b", 1, null])) < 300);
    }
}
