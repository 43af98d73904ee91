//! The document model's answers to what storage wants to know of a document.

use quire_markup::Document;
use quire_storage::content::{DocumentAnalyzer, LinkFact, SectionFact};
use serde_json::Value;

/// Reads documents with `quire-markup`.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkupAnalyzer;

impl DocumentAnalyzer for MarkupAnalyzer {
    fn links(&self, document: &Value) -> Vec<LinkFact> {
        let Some(document) = stored(document) else { return Vec::new() };
        let links = quire_markup::links(&document).into_iter();
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

    fn anchors(&self, document: &Value) -> Vec<String> {
        stored(document).map(|document| quire_markup::anchors(&document)).unwrap_or_default()
    }

    fn sections(&self, document: &Value) -> Vec<SectionFact> {
        let Some(document) = stored(document) else { return Vec::new() };
        let sections = quire_markup::sections(&document).into_iter();
        sections
            .map(|section| SectionFact {
                anchor: section.anchor,
                heading: section.heading,
                text: section.text,
            })
            .collect()
    }
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
