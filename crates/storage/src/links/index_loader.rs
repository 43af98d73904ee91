//! Indexes of trees, made from that of the nearest tree and from what was written of documents when they were stored.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use quire_domain::ids::{DocumentId, SpaceId};
use quire_domain::links::LinkRelation;
use quire_revision::{Tree, raw_diff};
use serde_json::Value;

use super::index::{DocumentFacts, LinkIndex, unknown};
use crate::content::{LinkFact, document_id};
use crate::schema::documents;
use crate::transaction::Reader;
use crate::{Error, Result};

/// The index of a tree, with the tree.
pub(crate) struct IndexedTree {
    tree: Tree,
    pub(super) index: LinkIndex,
}

impl IndexedTree {
    /// About how many bytes of memory it takes: a weight for caches.
    pub(crate) fn approximate_bytes(&self) -> usize {
        self.tree.approximate_bytes().saturating_add(self.index.approximate_bytes())
    }

    /// About how many of these bytes it does not share with another one.
    pub(crate) fn approximate_bytes_beyond(&self, other: &Self) -> usize {
        let tree = self.tree.approximate_bytes_beyond(&other.tree);
        tree.saturating_add(self.index.approximate_bytes_beyond(&other.index))
    }
}

impl Reader<'_> {
    /// The index of a tree of a space: nothing when it is cached, else one statement for the documents that the nearest cached
    /// tree of the space doesn't have, and a second for those that were stored before their anchors were.
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
            .filter(documents::space_id.eq(space.as_uuid()))
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

fn links_of(stored: Value) -> Result<Vec<(Value, LinkRelation, Option<String>)>> {
    let links: Vec<LinkFact> = serde_json::from_value(stored)
        .map_err(|error| Error::corrupt("a document's links are damaged", anyhow::Error::from(error)))?;
    let link = |LinkFact { reference, depends_on, node }| {
        let relation = if depends_on { LinkRelation::DependsOn } else { LinkRelation::Reference };
        (reference, relation, node)
    };
    Ok(links.into_iter().map(link).collect())
}

fn anchors_of(stored: Value) -> Result<BTreeSet<String>> {
    serde_json::from_value(stored)
        .map_err(|error| Error::corrupt("a document's anchors are damaged", anyhow::Error::from(error)))
}
