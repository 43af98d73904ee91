//! Loading of link indexes, derived from the index of the nearest cached tree and the facts stored with documents.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use quire_domain::ids::{DocumentId, SpaceId};
use quire_revision::{Tree, raw_diff};
use serde_json::Value;

use super::index::{DocumentFacts, LinkIndex, document, unknown};
use crate::content::store::{DocumentLinks, document_id};
use crate::schema::documents;
use crate::transaction::Reader;
use crate::{Error, Result};

/// Number of documents that are read at once for their conditions.
const DOCUMENTS_AT_ONCE: usize = 200;

/// Index of a tree, with the tree.
pub(crate) struct IndexedTree {
    tree: Tree,
    pub(super) index: LinkIndex,
}

impl IndexedTree {
    /// Returns the approximate memory in bytes, as a weight for caches.
    pub(crate) fn approximate_bytes(&self) -> usize {
        self.tree.approximate_bytes().saturating_add(self.index.approximate_bytes())
    }

    /// Returns the approximate memory in bytes that it does not share with another one.
    pub(crate) fn approximate_bytes_beyond(&self, other: &Self) -> usize {
        let tree = self.tree.approximate_bytes_beyond(&other.tree);
        tree.saturating_add(self.index.approximate_bytes_beyond(&other.index))
    }
}

impl Reader<'_> {
    /// Returns the index of a tree of a space. Takes no statement if it is cached. Otherwise takes one statement for
    /// the documents that the nearest cached tree of the space lacks, and another for documents that were stored
    /// without anchors by an earlier version.
    pub(super) fn links_of(&mut self, space: SpaceId, tree: &Tree) -> Result<Arc<IndexedTree>> {
        let caches = self.storage.caches();
        let root = tree.root();
        if let Some(index) = caches.links.get(space, root) {
            return Ok(index);
        }
        let near = caches.links.nearest(space);
        let (before, base) = match &near {
            Some(near) => (near.tree.clone(), near.index.clone()),
            None => (Tree::empty(), LinkIndex::default()),
        };
        let changes = raw_diff(&before, tree);
        let facts = self.document_facts(space, &unknown(&changes))?;
        let index = base.after(space, changes, tree, &facts);
        let indexed = Arc::new(IndexedTree { tree: tree.clone(), index });
        caches.links.keep(space, root, Arc::clone(&indexed));
        Ok(indexed)
    }

    /// Like [`Self::links_of`], with the conditions of the blocks that contain the links. Documents that were stored
    /// without conditions are read once, 200 per statement.
    pub(super) fn links_with_conditions_of(
        &mut self,
        space: SpaceId,
        tree: &Tree,
    ) -> Result<Arc<IndexedTree>> {
        let indexed = self.links_of(space, tree)?;
        let holders = indexed.index.without_conditions();
        if holders.is_empty() {
            return Ok(indexed);
        }
        let mut index = indexed.index.clone();
        for some in holders.chunks(DOCUMENTS_AT_ONCE) {
            let entries = some.iter().filter_map(|holder| tree.entry(holder.entry()));
            let ids: Vec<DocumentId> = entries.filter_map(|entry| document(&entry)).collect();
            let facts = self.documents_of(space, &ids)?.into_iter().map(|(id, body)| {
                let analysis = self.storage.analyzer().analyze(&body);
                let anchors = analysis.anchors.into_iter().collect();
                (id, DocumentFacts { links: analysis.links, anchors })
            });
            index = index.with_conditions((space, tree), some, &facts.collect());
        }
        let indexed = Arc::new(IndexedTree { tree: tree.clone(), index });
        self.storage.caches().links.keep(space, tree.root(), Arc::clone(&indexed));
        Ok(indexed)
    }

    fn document_facts(
        &mut self,
        space: SpaceId,
        ids: &BTreeSet<DocumentId>,
    ) -> Result<HashMap<DocumentId, DocumentFacts>> {
        let mut facts: HashMap<DocumentId, DocumentFacts> = HashMap::with_capacity(ids.len());
        if ids.is_empty() {
            return Ok(facts);
        }
        let bytes: Vec<&[u8]> = ids.iter().map(|id| id.as_bytes().as_slice()).collect();
        let rows: Vec<(Vec<u8>, Option<Value>, Value)> = documents::table
            .filter(documents::space_id.eq(space))
            .filter(documents::id.eq_any(bytes))
            .select((documents::id, documents::anchors, documents::links))
            .load(self.connection)?;
        let mut without: Vec<DocumentId> = Vec::new();
        for (id, anchors, links) in rows {
            let id = document_id(&id)?;
            let links = links_of(links)?;
            let anchors = match anchors {
                Some(anchors) => anchors_of(anchors)?,
                None => {
                    without.push(id);
                    BTreeSet::new()
                }
            };
            facts.insert(id, DocumentFacts { links, anchors });
        }
        if !without.is_empty() {
            self.require_no_transaction()?;
        }
        for (id, body) in self.documents_of(space, &without)? {
            facts.entry(id).or_default().anchors =
                self.storage.analyzer().analyze(&body).anchors.into_iter().collect();
        }
        Ok(facts)
    }
}

fn links_of(stored: Value) -> Result<DocumentLinks> {
    serde_json::from_value(stored)
        .map_err(|error| Error::corrupt("a document's links are damaged", anyhow::Error::from(error)))
}

fn anchors_of(stored: Value) -> Result<BTreeSet<String>> {
    serde_json::from_value(stored)
        .map_err(|error| Error::corrupt("a document's anchors are damaged", anyhow::Error::from(error)))
}
