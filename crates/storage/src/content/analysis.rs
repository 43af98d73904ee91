//! Documents with their links, anchors and search sections, extracted before they are stored.

use std::sync::Arc;

use quire_domain::ids::DocumentId;
use quire_revision::canonical_json;
use serde_json::Value;

use crate::Storage;

/// Extraction of links, anchors and sections, implemented by the document model.
pub trait DocumentAnalyzer: Send + Sync {
    /// Extracts the references, anchors and sections of a document.
    fn analyze(&self, document: &Value) -> Analysis;
}

/// Data stored with a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// References, in document order.
    pub links: Vec<LinkFact>,
    /// Anchors of the headings, in document order.
    pub anchors: Vec<String>,
    /// Searchable sections, in document order.
    pub sections: Vec<SectionFact>,
}

/// One reference in a document.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkFact {
    /// The content reference, with its `kind`.
    pub reference: Value,
    /// Set when the document can't be shown without the target.
    pub depends_on: bool,
    /// The node that holds it.
    pub node: Option<String>,
}

/// One searchable section: the text below a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionFact {
    /// The anchor of the heading; `None` above the first.
    pub anchor: Option<String>,
    /// The text of the heading.
    pub heading: Option<String>,
    /// The text below it.
    pub text: String,
}

/// A document to be stored with a commit. [`Storage::analyze`] makes it before the transaction begins, so that a commit has
/// nothing to parse.
#[derive(Clone, Debug, PartialEq)]
pub struct NewDocument {
    id: DocumentId,
    /// The document as canonical JSON, of which its id is the hash.
    pub(crate) body: Vec<u8>,
    pub(crate) links: Vec<LinkFact>,
    pub(crate) anchors: Vec<String>,
    pub(crate) sections: Arc<[SectionFact]>,
}

impl NewDocument {
    /// Analyzes a document.
    #[must_use]
    pub fn new(id: DocumentId, document: &Value, analyzer: &dyn DocumentAnalyzer) -> Self {
        let Analysis { links, anchors, sections } = analyzer.analyze(document);
        Self { id, body: canonical_json(document), links, anchors, sections: sections.into() }
    }

    /// Returns the hash of the document.
    #[must_use]
    pub fn id(&self) -> DocumentId {
        self.id
    }
}

impl Storage {
    /// Analyzes documents, outside of transactions.
    #[must_use]
    pub fn analyze(&self, documents: Vec<(DocumentId, Value)>) -> Vec<NewDocument> {
        let analyzed = documents.into_iter().map(|(id, document)| self.analyze_one(id, &document));
        analyzed.collect()
    }

    fn analyze_one(&self, id: DocumentId, document: &Value) -> NewDocument {
        let new = NewDocument::new(id, document, self.analyzer());
        self.caches().sections.insert(id, Arc::clone(&new.sections));
        new
    }

    /// Returns the sections of a stored document.
    pub(crate) fn sections_of(&self, id: DocumentId, document: &Value) -> Arc<[SectionFact]> {
        self.caches().sections.get_with(id, || self.analyzer().analyze(document).sections.into())
    }
}

/// Approximate memory of sections in bytes.
pub(super) fn weight_of_sections(sections: &[SectionFact]) -> u32 {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let of_section = |section: &SectionFact| {
        size_of::<SectionFact>() + length(&section.anchor) + length(&section.heading) + section.text.len()
    };
    u32::try_from(sections.iter().map(of_section).sum::<usize>()).unwrap_or(u32::MAX)
}
