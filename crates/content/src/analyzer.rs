//! The document model's answers to what storage wants to know of a document.

use quire_markup::Document;
use quire_storage::content::{Analysis, DocumentAnalyzer, LinkFact, SectionFact};
use serde_json::Value;

/// Reads documents with `quire-markup`.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkupAnalyzer;

impl DocumentAnalyzer for MarkupAnalyzer {
    fn analyze(&self, document: &Value) -> Analysis {
        let Some(document) = stored(document) else { return Analysis::default() };
        Analysis {
            links: links(&document),
            anchors: quire_markup::anchors(&document),
            sections: sections(&document),
        }
    }
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

fn sections(document: &Document) -> Vec<SectionFact> {
    let sections = quire_markup::sections(document).into_iter();
    sections
        .map(|section| SectionFact { anchor: section.anchor, heading: section.heading, text: section.text })
        .collect()
}

/// One that can't be read is from a newer binary, and has nothing to say here: what no document has a place for isn't stored.
fn stored(document: &Value) -> Option<Document> {
    match Document::from_stored(document) {
        Ok(document) => Some(document),
        Err(errors) => {
            log::error!(
                "a stored document can't be read: {}",
                errors.first().map_or_else(String::new, ToString::to_string)
            );
            None
        }
    }
}
