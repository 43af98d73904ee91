//! Indexes of trees, made from that of the nearest tree and from what was written of documents when they were stored.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{DocumentId, SpaceId};
use quire_domain::links::LinkRelation;
use quire_revision::{Tree, raw_diff};
use serde_json::Value;

use super::index::{DocumentFacts, LinkIndex, unknown};
use crate::content::document_id;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, stored};

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
}

#[derive(QueryableByName)]
struct AnchorsRow {
    #[diesel(sql_type = Binary)]
    id: Vec<u8>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    anchors: Option<Value>,
}

#[derive(QueryableByName)]
struct LinkRow {
    #[diesel(sql_type = Binary)]
    document_id: Vec<u8>,
    #[diesel(sql_type = Jsonb)]
    reference: Value,
    #[diesel(sql_type = Text)]
    relation: String,
    #[diesel(sql_type = Nullable<Text>)]
    node: Option<String>,
}

statements! {
    FindAnchors = "SELECT id, anchors FROM documents WHERE space_id = $1 AND id = ANY ($2)";
    FindLinks = "SELECT document_id, reference, relation, node FROM document_links \
                 WHERE space_id = $1 AND document_id = ANY ($2) ORDER BY document_id, ordinal";
}

impl Reader<'_> {
    /// The index of a tree of a space: nothing when it is cached, else two statements for the documents that the nearest cached
    /// tree of the space doesn't have, and a third for those that were stored before their anchors were.
    pub(super) fn links_of(&mut self, space: SpaceId, tree: &Tree) -> Result<Arc<IndexedTree>> {
        let caches = self.storage.caches();
        let root = tree.root();
        if let Some(index) = caches.links.get(&(space, root)) {
            return Ok(index);
        }
        let near = caches.nearest_links.get(&space);
        let (before, base) = match &near {
            Some(near) => (near.tree.clone(), near.index.clone()),
            None => (Tree::empty(), LinkIndex::default()),
        };
        let changes = raw_diff(&before, tree);
        let facts = self.document_facts(space, &unknown(&changes))?;
        let index = base.after(space, changes, tree, &facts);
        let indexed = Arc::new(IndexedTree { tree: tree.clone(), index });
        caches.links.insert((space, root), Arc::clone(&indexed));
        caches.nearest_links.insert(space, Arc::clone(&indexed));
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
        let space_id = *space.as_uuid();
        let anchors: Vec<AnchorsRow> =
            FindAnchors::bind((val::<SqlUuid, _>(space_id), val::<Array<Binary>, _>(bytes.clone())))
                .load(self.connection)?;
        let mut without: Vec<DocumentId> = Vec::new();
        for row in anchors {
            let id = document_id(&row.id)?;
            match row.anchors {
                Some(anchors) => facts.entry(id).or_default().anchors = anchors_of(anchors)?,
                None => without.push(id),
            }
        }
        if !without.is_empty() {
            self.require_no_transaction()?;
        }
        for (id, body) in self.documents_of(space, &without)? {
            facts.entry(id).or_default().anchors =
                self.storage.analyzer().analyze(&body).anchors.into_iter().collect();
        }
        let links: Vec<LinkRow> =
            FindLinks::bind((val::<SqlUuid, _>(space_id), val::<Array<Binary>, _>(bytes)))
                .load(self.connection)?;
        for row in links {
            let relation: LinkRelation = stored(&row.relation)?;
            let link = (row.reference, relation, row.node);
            facts.entry(document_id(&row.document_id)?).or_default().links.push(link);
        }
        Ok(facts)
    }
}

fn anchors_of(stored: Value) -> Result<BTreeSet<String>> {
    serde_json::from_value(stored)
        .map_err(|error| Error::corrupt("a document's anchors are damaged", anyhow::Error::from(error)))
}
