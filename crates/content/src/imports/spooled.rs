//! New documents of an import, kept on disk until they are stored.

use std::collections::HashSet;
use std::io;

use quire_domain::documents::DocumentJson;
use quire_domain::ids::DocumentId;
use quire_importer::blocking::yield_to_requests;
use quire_importer::spool::{Content, Spool};
use quire_storage::content::store::{Analysis, AnalyzedDocument};

use crate::error::{Error, Result};

/// Bytes of documents stored with one statement. Each connection that sends one keeps a buffer of twice this size.
const BATCH: usize = 256 << 10;

/// New documents, each once.
#[derive(Default)]
pub(super) struct SpooledDocuments {
    spool: Spool,
    known: HashSet<DocumentId>,
    documents: Vec<SpooledDocument>,
}

struct SpooledDocument {
    id: DocumentId,
    body: Content,
    /// Links, anchors and sections as JSON.
    analysis: Content,
}

impl SpooledDocuments {
    /// Adds a new document, unless it is known.
    pub(super) fn keep(&mut self, document: &AnalyzedDocument) -> Result<()> {
        if !self.known.insert(document.id()) {
            return Ok(());
        }
        let analysis = serde_json::to_vec(&document.analysis());
        let analysis =
            analysis.map_err(|error| Error::internal("facts of a document can't be written", error));
        self.documents.push(SpooledDocument {
            id: document.id(),
            body: self.spool.keep(document.body().as_bytes()),
            analysis: self.spool.keep(&analysis?),
        });
        Ok(())
    }

    /// Reads the batch of documents that starts at this number. Empty after the last one.
    ///
    /// # Errors
    /// If the disk fails.
    pub(super) fn batch(&self, from: usize) -> Result<Vec<AnalyzedDocument>> {
        let (mut batch, mut bytes) = (Vec::new(), 0_usize);
        for document in self.documents.iter().skip(from) {
            yield_to_requests();
            let unreadable = |error| Error::internal("a document of an import can't be read back", error);
            let document = document.read().map_err(unreadable)?;
            bytes = bytes.saturating_add(document.body().as_bytes().len());
            batch.push(document);
            if bytes >= BATCH {
                break;
            }
        }
        Ok(batch)
    }
}

impl SpooledDocument {
    fn read(&self) -> io::Result<AnalyzedDocument> {
        let body = String::from_utf8(self.body.read()?.into()).map_err(io::Error::other)?;
        let body = DocumentJson::new(body).map_err(io::Error::other)?;
        let analysis: Analysis = serde_json::from_slice(&self.analysis.read()?).map_err(io::Error::other)?;
        Ok(AnalyzedDocument::new(self.id, body, analysis))
    }
}
