//! Documents: content-addressed, read once and cached.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Uuid as SqlUuid};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, SpaceId};

use crate::list::CountRow;
use crate::lookup::{Authorized, ContentPoint};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, Storage};

#[derive(QueryableByName)]
struct DocumentRow {
    #[diesel(sql_type = Binary)]
    id: Vec<u8>,
    #[diesel(sql_type = Binary)]
    body: Vec<u8>,
}

statements! {
    FindDocuments = "SELECT id, body FROM documents WHERE space_id = $1 AND id = ANY ($2)";
    // The size of a body is told without reading it.
    FirstTooMany = "SELECT coalesce(min(q.place), 0) AS total FROM (SELECT w.place, sum(octet_length(d.body)) OVER (ORDER BY w.place) AS upto \
                    FROM unnest($2) WITH ORDINALITY AS w (id, place) JOIN documents d ON d.space_id = $1 AND d.id = w.id) q WHERE q.upto > $3";
}

/// The id in a row.
pub(crate) fn document_id(bytes: &[u8]) -> Result<DocumentId> {
    let bytes = bytes
        .try_into()
        .map_err(|error| Error::corrupt("a document's id is cut", anyhow::Error::from(error)))?;
    Ok(DocumentId::from_bytes(bytes))
}

/// The document in a row.
fn document_json(body: Vec<u8>) -> Result<DocumentJson> {
    let json = String::from_utf8(body).map_err(anyhow::Error::from);
    let document = json.and_then(|json| Ok(DocumentJson::new(json)?));
    document.map_err(|error| Error::corrupt("a document isn't JSON", error))
}

impl Storage {
    /// A document of the content's space if it is in memory: no statement.
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
    /// The documents of a space with these ids, those that exist: at most one statement.
    pub(crate) fn documents_of(
        &mut self,
        space: SpaceId,
        ids: &[DocumentId],
    ) -> Result<HashMap<DocumentId, DocumentJson>> {
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
            let document = document_json(row.body)?;
            cache.insert((space, id), document.clone());
            documents.insert(id, document);
        }
        Ok(documents)
    }
}

impl Reader<'_> {
    /// How many of these documents, from the first on, have at most this many bytes together; at least one, if there is any. At most one
    /// statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn documents_within(
        &mut self,
        content: &Authorized<impl ContentPoint>,
        ids: &[DocumentId],
        bytes: u32,
    ) -> Result<usize> {
        if ids.is_empty() {
            return Ok(0);
        }
        let hashes: Vec<&[u8]> = ids.iter().map(|id| id.as_bytes().as_slice()).collect();
        let first: CountRow = FirstTooMany::bind((
            val::<SqlUuid, _>(*content.space().as_uuid()),
            val::<Array<Binary>, _>(hashes),
            val::<BigInt, _>(i64::from(bytes)),
        ))
        .get_result(self.connection)?;
        Ok(match usize::try_from(first.total) {
            Ok(place) if place > 0 => place.saturating_sub(1).max(1),
            _ => ids.len(),
        })
    }
}
