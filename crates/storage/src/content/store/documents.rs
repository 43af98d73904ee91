//! Documents: content-addressed, read once and cached.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, SpaceId};

use crate::content::store::ContentPoint;
use crate::lookup::Authorized;
use crate::schema::documents;
use crate::transaction::Reader;
use crate::{Error, Result, Storage};

sql_files! {
    FirstTooMany(SqlUuid, Array<Binary>, BigInt) -> (BigInt,) = "first_too_many.sql";
}

/// Converts the id in a row.
pub(crate) fn document_id(bytes: &[u8]) -> Result<DocumentId> {
    let bytes = bytes
        .try_into()
        .map_err(|error| Error::corrupt("a document's id is cut", anyhow::Error::from(error)))?;
    Ok(DocumentId::from_bytes(bytes))
}

/// Converts the document in a row.
pub(crate) fn document_json(body: Vec<u8>) -> Result<DocumentJson> {
    let json = String::from_utf8(body).map_err(anyhow::Error::from);
    let document = json.and_then(|json| Ok(DocumentJson::new(json)?));
    document.map_err(|error| Error::corrupt("a document isn't JSON", error))
}

impl Storage {
    /// Returns a document of the content's space if it is cached. Takes no statement.
    #[must_use]
    pub fn cached_document(
        &self,
        content: &Authorized<impl ContentPoint>,
        id: DocumentId,
    ) -> Option<DocumentJson> {
        self.caches().documents.get(&(content.space(), id))
    }
}

impl Reader<'_> {
    /// Returns the existing documents of a space with these ids. Takes at most one statement.
    pub(crate) fn documents_of(
        &mut self,
        space: SpaceId,
        ids: &[DocumentId],
    ) -> Result<HashMap<DocumentId, DocumentJson>> {
        let cache = &self.storage.caches().documents;
        let mut found = HashMap::with_capacity(ids.len());
        let mut missing = Vec::new();
        for id in ids {
            match cache.get(&(space, *id)) {
                Some(document) => drop(found.insert(*id, document)),
                None => missing.push(id.as_bytes().as_slice()),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let rows: Vec<(Vec<u8>, Vec<u8>)> = documents::table
            .filter(documents::space_id.eq(space))
            .filter(documents::id.eq_any(missing))
            .select((documents::id, documents::body))
            .load(self.connection)?;
        for (id, body) in rows {
            let id = document_id(&id)?;
            let document = document_json(body)?;
            cache.insert((space, id), document.clone());
            found.insert(id, document);
        }
        Ok(found)
    }
}

impl Reader<'_> {
    /// Returns how many of these documents, from the first on, have at most this many bytes in total; at least one,
    /// unless there are none. Takes at most one statement.
    pub fn documents_within(
        &mut self,
        content: &Authorized<impl ContentPoint>,
        ids: &[DocumentId],
        bytes: u32,
    ) -> Result<usize> {
        self.documents_within_of(content.space(), ids, bytes)
    }

    /// Like [`Reader::documents_within`], in a space that the caller has authorized.
    pub(crate) fn documents_within_of(
        &mut self,
        space: SpaceId,
        ids: &[DocumentId],
        bytes: u32,
    ) -> Result<usize> {
        if ids.is_empty() {
            return Ok(0);
        }
        let hashes: Vec<&[u8]> = ids.iter().map(|id| id.as_bytes().as_slice()).collect();
        let first = FirstTooMany::bind((space, hashes, i64::from(bytes)));
        let (first,): (i64,) = first.get_result(self.connection)?;
        Ok(match usize::try_from(first) {
            Ok(first) if first > 0 => first.saturating_sub(1).max(1),
            _ => ids.len(),
        })
    }
}
