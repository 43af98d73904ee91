//! Inserts of documents with their links, and of tree nodes, if absent.
//!
//! These rows are named by their hashes and never change, so they need no lock and can be stored before the transaction
//! whose revision refers to them. Rows of a write that is refused later are kept, and are used by the next write with
//! the same content.
//!
//! Rows stored in advance are flushed to disk by their own COMMIT. The transaction that refers to them may run after a
//! crash and restart of the server, and a crash loses rows that are not flushed.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Jsonb, Nullable, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{ChangeRequestId, SpaceId};
use quire_revision::{Tree, TreeHash};
use serde_json::Value;
use uuid::Uuid;

use super::AnalyzedDocument;
use crate::content::store::ContentAt;
use crate::lookup::Authorized;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

sql_files! {
    StoreContent(
        SqlUuid, Array<Binary>, Array<Binary>, Array<Jsonb>, Array<Jsonb>, Array<Nullable<Jsonb>>, Array<Binary>,
        Array<Binary>, Nullable<SqlUuid>,
    ) = "store.sql";
}

/// Documents and nodes as parallel arrays.
struct Arrays<'a> {
    ids: Vec<Vec<u8>>,
    bodies: Vec<&'a [u8]>,
    anchors: Vec<Value>,
    links: Vec<Value>,
    tags: Vec<Option<Value>>,
    hashes: Vec<&'a [u8]>,
    nodes: Vec<&'a [u8]>,
}

impl<'a> Arrays<'a> {
    /// Builds the arrays; `None` if there are no rows.
    fn of(documents: &[&'a AnalyzedDocument], nodes: &'a [(TreeHash, Vec<u8>)]) -> Result<Option<Self>> {
        if documents.is_empty() && nodes.is_empty() {
            return Ok(None);
        }
        let links = documents.iter().map(|document| serde_json::to_value(&document.links));
        let links = links.collect::<std::result::Result<_, _>>();
        let (hashes, nodes) =
            nodes.iter().map(|(hash, body)| (hash.as_bytes().as_slice(), body.as_slice())).unzip();
        Ok(Some(Self {
            ids: documents.iter().map(|document| document.id().as_bytes().to_vec()).collect(),
            bodies: documents.iter().map(|document| document.body.as_bytes()).collect(),
            anchors: documents.iter().map(|document| document.anchors.clone().into()).collect(),
            links: links.map_err(|error| Error::Internal("links can't be written", error.into()))?,
            tags: documents.iter().map(|document| tags_of(document)).collect(),
            hashes,
            nodes,
        }))
    }
}

/// Returns the column `tags`: null if there are none, so that its index has few rows.
fn tags_of(document: &AnalyzedDocument) -> Option<Value> {
    (!document.tags.is_empty()).then(|| document.tags.clone().into())
}

impl Reader<'_> {
    /// Stores documents, and the nodes of a tree that are not in another, stored tree, before the transaction that
    /// refers to them. Takes at most one statement.
    pub fn store_ahead(
        &mut self,
        content: &Authorized<ContentAt>,
        documents: &[AnalyzedDocument],
        tree: Option<(&Tree, &Tree)>,
    ) -> Result<()> {
        let documents: Vec<&AnalyzedDocument> = documents.iter().collect();
        self.store_ahead_in(content.space.id, &documents, tree)
    }

    /// Like [`Reader::store_ahead`], in a space that the caller has authorized.
    pub(crate) fn store_ahead_in(
        &mut self,
        space: SpaceId,
        documents: &[&AnalyzedDocument],
        tree: Option<(&Tree, &Tree)>,
    ) -> Result<()> {
        self.require_no_transaction()?;
        let nodes = tree.map(|(tree, stored)| tree.nodes_missing_in(stored)).unwrap_or_default();
        let Some(Arrays { ids, bodies, anchors, links, tags, hashes, nodes }) =
            Arrays::of(documents, &nodes)?
        else {
            return Ok(());
        };
        let owner: Option<Uuid> = None;
        StoreContent::bind((space, ids, bodies, anchors, links, tags, hashes, nodes, owner))
            .execute(self.connection)?;
        Ok(())
    }
}

impl Tx<'_> {
    /// Stores documents, and the nodes of `tree` that are not in `stored`, in the transaction that refers to them. Rows
    /// of an amended revision belong to its change request.
    pub(crate) fn store_content(
        &mut self,
        space: SpaceId,
        documents: &[AnalyzedDocument],
        (tree, stored): (&Tree, &Tree),
        amended_by: Option<ChangeRequestId>,
    ) -> Result<()> {
        let documents: Vec<&AnalyzedDocument> = documents.iter().collect();
        let nodes = tree.nodes_missing_in(stored);
        let Some(Arrays { ids, bodies, anchors, links, tags, hashes, nodes }) =
            Arrays::of(&documents, &nodes)?
        else {
            return Ok(());
        };
        let owner = amended_by;
        StoreContent::bind((space, ids, bodies, anchors, links, tags, hashes, nodes, owner))
            .execute(self.connection)?;
        Ok(())
    }
}
