//! Documents: content-addressed, stored once in their space, their links extracted as they are.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Jsonb, Uuid as SqlUuid};
use quire_domain::ids::{DocumentId, SpaceId};
use quire_revision::canonical_json;
use serde_json::Value;

use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// A document to be stored with a commit.
#[derive(Clone, Debug, PartialEq)]
pub struct NewDocument {
    /// The hash of `body`.
    pub id: DocumentId,
    /// The whole document.
    pub body: Value,
}

impl NewDocument {
    /// The document with its id.
    #[must_use]
    pub fn new(body: Value) -> Self {
        Self { id: DocumentId::of(&body), body }
    }
}

#[derive(QueryableByName)]
struct DocumentRow {
    #[diesel(sql_type = Binary)]
    id: Vec<u8>,
    #[diesel(sql_type = Binary)]
    body: Vec<u8>,
}

statements! {
    FindDocuments = "SELECT id, body FROM documents WHERE space_id = $1 AND id = ANY ($2)";
    InsertDocuments = "INSERT INTO documents (space_id, id, body, anchors) \
                       SELECT $1, d.id, d.body, d.anchors FROM unnest($2, $3, $4) AS d (id, body, anchors) ORDER BY d.id ON CONFLICT DO NOTHING RETURNING id, ''::bytea AS body";
}

/// The id in a row.
pub(crate) fn document_id(bytes: &[u8]) -> Result<DocumentId> {
    let bytes = bytes
        .try_into()
        .map_err(|error| Error::corrupt("a document's id is cut", anyhow::Error::from(error)))?;
    Ok(DocumentId::from_bytes(bytes))
}

impl Reader<'_> {
    /// The documents of a space with these ids, those that exist: at most one statement.
    pub(crate) fn documents_of(
        &mut self,
        space: SpaceId,
        ids: &[DocumentId],
    ) -> Result<HashMap<DocumentId, Arc<Value>>> {
        let cache = &self.storage.caches().documents;
        let mut documents = HashMap::with_capacity(ids.len());
        let mut missing = Vec::new();
        for id in ids {
            match cache.get(&(space, *id)) {
                Some(document) => drop(documents.insert(*id, document)),
                None => missing.push(id.as_bytes().as_slice()),
            }
        }
        if missing.is_empty() {
            return Ok(documents);
        }
        let rows: Vec<DocumentRow> =
            FindDocuments::bind((val::<SqlUuid, _>(*space.as_uuid()), val::<Array<Binary>, _>(missing)))
                .load(self.connection)?;
        for row in rows {
            let id = document_id(&row.id)?;
            let body: Value = serde_json::from_slice(&row.body)
                .map_err(|error| Error::corrupt("a document isn't JSON", anyhow::Error::from(error)))?;
            let body = Arc::new(body);
            cache.insert((space, id), body.clone());
            documents.insert(id, body);
        }
        Ok(documents)
    }
}

impl Tx<'_> {
    /// Stores documents that are not there yet, and their links.
    pub(crate) fn store_documents(&mut self, space: SpaceId, documents: &[NewDocument]) -> Result<()> {
        if documents.is_empty() {
            return Ok(());
        }
        let ids: Vec<&[u8]> = documents.iter().map(|document| document.id.as_bytes().as_slice()).collect();
        let bodies: Vec<Vec<u8>> = documents.iter().map(|document| canonical_json(&document.body)).collect();
        let anchors: Vec<Value> =
            documents.iter().map(|document| self.storage.analyzer().anchors(&document.body).into()).collect();
        let stored: Vec<DocumentRow> = InsertDocuments::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<Array<Binary>, _>(ids),
            val::<Array<Binary>, _>(bodies),
            val::<Array<Jsonb>, _>(anchors),
        ))
        .load(self.connection)?;
        // Two pages of one commit may have the same document: its links are written once.
        let mut new = stored.iter().map(|row| document_id(&row.id)).collect::<Result<HashSet<_>>>()?;
        self.store_links(space, documents.iter().filter(|document| new.remove(&document.id)))
    }
}
