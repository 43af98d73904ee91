//! Document analysis for the storage.

use quire_domain::documents::DocumentJson;
use quire_domain::ids::DocumentId;
use quire_markup::{Document, Section};
use quire_storage::content::{Analysis, DocumentAnalyzer, LinkFact, NewDocument, SectionFact};

/// Prepares a document for the storage: its canonical JSON, the id, and its analysis, all from the typed document.
#[must_use]
pub fn new_document(document: &Document) -> NewDocument {
    let body = DocumentJson::from(document.to_canonical_json());
    let id = DocumentId::of_canonical(body.as_bytes());
    NewDocument::new(id, body, analysis(document))
}

/// Reads documents with `quire-markup`.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkupAnalyzer;

impl DocumentAnalyzer for MarkupAnalyzer {
    fn analyze(&self, document: &DocumentJson) -> Analysis {
        stored(document).map_or_else(Analysis::default, |document| analysis(&document))
    }
}

fn analysis(document: &Document) -> Analysis {
    Analysis {
        links: links(document),
        anchors: quire_markup::anchors(document),
        sections: sections(document),
        tags: tags(document),
    }
}

fn tags(document: &Document) -> Vec<serde_json::Value> {
    let tags = quire_markup::tags(document);
    tags.iter().map(quire_markup::ContentRef::to_value).collect()
}

fn links(document: &Document) -> Vec<LinkFact> {
    let links = quire_markup::links(document).into_iter();
    links
        .filter_map(|link| {
            Some(LinkFact {
                reference: serde_json::to_value(&link.reference).ok()?,
                depends_on: link.relation == quire_markup::Relation::DependsOn,
                node: Some(link.node),
            })
        })
        .collect()
}

/// Returns the sections of a document for search.
#[must_use]
pub fn sections(document: &Document) -> Vec<SectionFact> {
    let sections = quire_markup::sections(document).into_iter();
    sections
        .map(|Section { anchor, heading, mut text, .. }| {
            // Cached texts are weighed by their length.
            text.shrink_to_fit();
            SectionFact { anchor, heading, text }
        })
        .collect()
}

/// Returns a stored document. An unreadable one was written by a newer version and is ignored here: invalid documents
/// are not stored.
fn stored(document: &DocumentJson) -> Option<Document> {
    let read = Document::from_stored(document.as_bytes());
    read.inspect_err(|error| log::error!("a stored document can't be read: {error}")).ok()
}
