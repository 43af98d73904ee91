//! Documents, their links and the nodes of trees, inserted if absent.
//!
//! They are named by their hashes and never change, so they need no lock and can be stored before the transaction whose revision
//! refers to them. Those of a write that is refused afterwards stay, and are used by the next write that has the same content.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::SpaceId;
use quire_revision::{Tree, TreeHash};
use serde_json::Value;

use super::NewDocument;
use super::links::LinkColumns;
use crate::Result;
use crate::lookup::{Authorized, ContentAt};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};

/// One statement for all three tables. Rows are inserted in the order of their keys, so that two writers of the same rows never wait
/// for each other in a circle.
macro_rules! store {
    ($first:literal, $last:literal) => {
        concat!(
            "WITH ",
            $first,
            "stored AS (INSERT INTO documents (space_id, id, body, anchors) \
               SELECT $1, d.id, d.body, d.anchors FROM unnest($2, $3, $4) AS d (id, body, anchors) ORDER BY d.id \
               ON CONFLICT DO NOTHING RETURNING id), \
             linked AS (INSERT INTO document_links (space_id, document_id, ordinal, reference, relation, target_kind, target_id, node) \
               SELECT $1, l.document_id, l.ordinal, l.reference, l.relation, l.target_kind, l.target_id, l.node \
               FROM unnest($5, $6, $7, $8, $9, $10, $11) \
                 AS l (document_id, ordinal, reference, relation, target_kind, target_id, node) \
               JOIN stored ON stored.id = l.document_id), \
             grown AS (INSERT INTO tree_nodes (space_id, hash, body) \
               SELECT $1, n.hash, n.body FROM unnest($12, $13) AS n (hash, body) ORDER BY n.hash ON CONFLICT DO NOTHING) ",
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
        self.store_ahead_in(content.space.id, documents, tree)
    }

    /// As [`Reader::store_ahead`], in a space that the caller has authorized.
    pub(crate) fn store_ahead_in(
        &mut self,
        space: SpaceId,
        documents: &[NewDocument],
        tree: Option<(&Tree, &Tree)>,
    ) -> Result<()> {
        self.require_no_transaction()?;
        let nodes = tree.map(|(tree, stored)| tree.nodes_missing_in(stored)).unwrap_or_default();
        self.store::<StoreAhead>(space, documents, &nodes)
    }

    fn store<S: Sql>(
        &mut self,
        space: SpaceId,
        documents: &[NewDocument],
        nodes: &[(TreeHash, Vec<u8>)],
    ) -> Result<()> {
        if documents.is_empty() && nodes.is_empty() {
            return Ok(());
        }
        let anchors: Vec<Value> = documents.iter().map(|document| document.anchors.clone().into()).collect();
        let bodies: Vec<&[u8]> = documents.iter().map(|document| document.body.as_bytes()).collect();
        let ids: Vec<Vec<u8>> = documents.iter().map(|document| document.id().as_bytes().to_vec()).collect();
        let links = LinkColumns::of(documents);
        let (hashes, nodes): (Vec<&[u8]>, Vec<&[u8]>) =
            nodes.iter().map(|(hash, body)| (hash.as_bytes().as_slice(), body.as_slice())).unzip();
        S::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<Array<Binary>, _>(ids),
            val::<Array<Binary>, _>(bodies),
            val::<Array<Jsonb>, _>(anchors),
            val::<Array<Binary>, _>(links.documents),
            val::<Array<Integer>, _>(links.ordinals),
            val::<Array<Jsonb>, _>(links.references),
            val::<Array<Text>, _>(links.relations),
            val::<Array<Text>, _>(links.kinds),
            val::<Array<Nullable<SqlUuid>>, _>(links.targets),
            val::<Array<Nullable<Text>>, _>(links.nodes),
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
        self.store::<StoreContent>(space, documents, &tree.nodes_missing_in(stored))
    }
}
