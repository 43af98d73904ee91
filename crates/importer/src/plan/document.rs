//! Documents of a plan, kept on disk until they are stored, since their nodes take many times the memory of their text.

use std::io;

use quire_markup::Document;

use crate::spool::{Content, Spool};

/// A document of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedDocument {
    /// Canonical JSON.
    json: Content,
}

impl PlannedDocument {
    /// Stores a document in a spool.
    pub(super) fn keep(document: &Document, spool: &mut Spool) -> Self {
        Self { json: spool.keep(document.to_canonical_json().get().as_bytes()) }
    }

    /// Reads the document back.
    pub fn read(&self) -> io::Result<Document> {
        Document::from_stored(&self.json.read()?).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use quire_markup::{StableRefs, parse};

    use super::*;

    #[test]
    fn a_document_reads_back_unchanged() {
        let mut spool = Spool::default();
        let documents = ["# A\n\n[b](c)\n", "", "| a | b |\n| - | - |\n| *c* | $d$ |\n"];
        let documents = documents.map(|text| parse(text, &StableRefs));
        let kept = documents.each_ref().map(|document| PlannedDocument::keep(document, &mut spool));
        assert_eq!(kept.map(|document| document.read().unwrap()), documents);
    }
}
