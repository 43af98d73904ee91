//! Documents with their links, and the nodes of trees, inserted if absent.
//!
//! They are named by their hashes and never change, so they need no lock and can be stored before the transaction whose revision
//! refers to them. Those of a write that is refused afterwards stay, and are used by the next write that has the same content.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Jsonb, Uuid as SqlUuid};
use quire_domain::ids::SpaceId;
use quire_revision::{Tree, TreeHash};
use serde_json::Value;

use super::NewDocument;
use crate::lookup::{Authorized, ContentAt};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// One statement for both tables. Rows are inserted in the order of their keys, so that two writers of the same rows never wait
/// for each other in a circle.
macro_rules! store {
    ($first:literal, $last:literal) => {
        concat!(
            "WITH ",
            $first,
            "stored AS (INSERT INTO documents (space_id, id, body, anchors, links) \
               SELECT $1, d.id, d.body, d.anchors, d.links \
               FROM unnest($2, $3, $4, $5) AS d (id, body, anchors, links) ORDER BY d.id \
               ON CONFLICT DO NOTHING), \
             grown AS (INSERT INTO tree_nodes (space_id, hash, body) \
               SELECT $1, n.hash, n.body FROM unnest($6, $7) AS n (hash, body) ORDER BY n.hash \
               ON CONFLICT DO NOTHING) ",
            $last
        )
    };
}

statements! {
    StoreContent = store!("", "SELECT 1");
    // Not flushed by itself: the commit that refers to the rows comes later in the log and flushes both.
    StoreAhead = store!(
        "unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)), ",
        "SELECT count(*) FROM unhurried"
    );
}

impl Reader<'_> {
    /// Stores documents, and the nodes of a tree that another, stored one does not have, ahead of the transaction that refers to them: at
    /// most one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn store_ahead(
        &mut self,
        content: &Authorized<ContentAt>,
        documents: &[NewDocument],
        tree: Option<(&Tree, &Tree)>,
    ) -> Result<()> {
        let documents: Vec<&NewDocument> = documents.iter().collect();
        self.store_ahead_in(content.space.id, &documents, tree)
    }

    /// As [`Reader::store_ahead`], in a space that the caller has authorized.
    pub(crate) fn store_ahead_in(
        &mut self,
        space: SpaceId,
        documents: &[&NewDocument],
        tree: Option<(&Tree, &Tree)>,
    ) -> Result<()> {
        self.require_no_transaction()?;
        let nodes = tree.map(|(tree, stored)| tree.nodes_missing_in(stored)).unwrap_or_default();
        self.store::<StoreAhead>(space, documents, &nodes)
    }

    fn store<S: Sql>(
        &mut self,
        space: SpaceId,
        documents: &[&NewDocument],
        nodes: &[(TreeHash, Vec<u8>)],
    ) -> Result<()> {
        if documents.is_empty() && nodes.is_empty() {
            return Ok(());
        }
        let anchors: Vec<Value> = documents.iter().map(|document| document.anchors.clone().into()).collect();
        let bodies: Vec<&[u8]> = documents.iter().map(|document| document.body.as_bytes()).collect();
        let ids: Vec<Vec<u8>> = documents.iter().map(|document| document.id().as_bytes().to_vec()).collect();
        let links = documents.iter().map(|document| serde_json::to_value(&document.links));
        let links: Vec<Value> = links
            .collect::<std::result::Result<_, _>>()
            .map_err(|error| Error::Internal("links can't be written", error.into()))?;
        let (hashes, nodes): (Vec<&[u8]>, Vec<&[u8]>) =
            nodes.iter().map(|(hash, body)| (hash.as_bytes().as_slice(), body.as_slice())).unzip();
        S::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<Array<Binary>, _>(ids),
            val::<Array<Binary>, _>(bodies),
            val::<Array<Jsonb>, _>(anchors),
            val::<Array<Jsonb>, _>(links),
            val::<Array<Binary>, _>(hashes),
            val::<Array<Binary>, _>(nodes),
        ))
        .execute(self.connection)?;
        Ok(())
    }
}

impl Tx<'_> {
    /// Stores documents, and the nodes of `tree` that `stored` does not have, in the transaction that refers to them.
    pub(crate) fn store_content(
        &mut self,
        space: SpaceId,
        documents: &[NewDocument],
        (tree, stored): (&Tree, &Tree),
    ) -> Result<()> {
        let documents: Vec<&NewDocument> = documents.iter().collect();
        self.store::<StoreContent>(space, &documents, &tree.nodes_missing_in(stored))
    }
}
