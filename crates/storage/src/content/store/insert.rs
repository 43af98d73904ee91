//! Documents with their links, and the nodes of trees, inserted if absent.
//!
//! They are named by their hashes and never change, so they need no lock and can be stored before the transaction whose
//! revision refers to them. Those of a write that is refused afterwards stay, and are used by the next write that has
//! the same content.
//!
//! Rows stored ahead are flushed to disk by their own COMMIT. The transaction that refers to them may run on a server
//! that crashed and restarted in between, and a crash loses rows that are not flushed.

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

/// Rows of documents and nodes, one value of each in the arrays.
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
    /// `None` without a row.
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

/// The column `tags`: null without a tag, so that its index holds few rows.
fn tags_of(document: &AnalyzedDocument) -> Option<Value> {
    (!document.tags.is_empty()).then(|| document.tags.clone().into())
}

impl Reader<'_> {
    /// Stores documents, and the nodes of a tree that another, stored one does not have, ahead of the transaction that
    /// refers to them: at most one statement.
    pub fn store_ahead(
        &mut self,
        content: &Authorized<ContentAt>,
        documents: &[AnalyzedDocument],
        tree: Option<(&Tree, &Tree)>,
    ) -> Result<()> {
        let documents: Vec<&AnalyzedDocument> = documents.iter().collect();
        self.store_ahead_in(content.space.id, &documents, tree)
    }

    /// As [`Reader::store_ahead`], in a space that the caller has authorized.
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
    /// Stores documents, and the nodes of `tree` that `stored` does not have, in the transaction that refers to them.
    /// Those of an amended revision belong to its change request.
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
