//! Document analysis for the storage.

use std::num::NonZeroU64;

use quire_domain::documents::DocumentJson;
use quire_domain::ids::DocumentId;
use quire_markup::{Document, LinkCondition, NamedNode, Section};
use quire_revision::{BlockAlignment, Tree};
use quire_storage::content::{
    Analysis, ComputedPages, ConditionFact, DocumentAnalyzer, DocumentLinks, LinkFact, NewDocument,
    SectionFact,
};
use quire_storage::openapi_specs::ReadableSpecs;
use quire_storage::{Reader, Result as StorageResult};
use serde_json::Value;

use crate::computed::{readable, searched_pages, state};

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

    fn trace(&self, before: &DocumentJson, after: &DocumentJson, nodes: &[String]) -> Vec<Option<String>> {
        match stored(before).zip(stored(after)) {
            Some((before, after)) => trace(&before, &after, nodes),
            None => vec![None; nodes.len()],
        }
    }

    fn computed_state(
        &self,
        reader: &mut Reader<'_>,
        specs: ReadableSpecs,
        tree: &Tree,
    ) -> StorageResult<Option<NonZeroU64>> {
        Ok(readable(state(reader, specs, tree))?.flatten())
    }

    fn computed_pages(
        &self,
        reader: &mut Reader<'_>,
        specs: ReadableSpecs,
        tree: &Tree,
    ) -> StorageResult<Option<Box<dyn ComputedPages>>> {
        searched_pages(reader, specs, tree)
    }
}

/// Returns the ids in a later version of a document of nodes of an earlier one.
fn trace(before: &Document, after: &Document, nodes: &[String]) -> Vec<Option<String>> {
    let value =
        |document: &Document| serde_json::from_str(document.to_canonical_json().get()).unwrap_or_default();
    let (old, new): (Value, Value) = (value(before), value(after));
    let mut alignment = BlockAlignment::new(&old, &new);
    let trace = |id: &String| {
        let node = quire_markup::find_node(before, id)?;
        let path = alignment.trace(&node.path)?;
        quire_markup::node_id(after, &NamedNode { path, ..node })
    };
    nodes.iter().map(trace).collect()
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

fn links(document: &Document) -> DocumentLinks {
    let (links, conditions) = quire_markup::links_and_conditions(document);
    let links = links.into_iter().filter_map(|link| {
        Some(LinkFact {
            reference: serde_json::to_value(&link.reference).ok()?,
            depends_on: link.relation == quire_markup::Relation::DependsOn,
            node: Some(link.node),
            condition: link.condition,
        })
    });
    let conditions = conditions.into_iter();
    let fact = |LinkCondition { expression, parent }| ConditionFact { expression, parent };
    DocumentLinks { links: links.collect(), conditions: Some(conditions.map(fact).collect()) }
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

#[cfg(test)]
mod tests {
    use quire_markup::StableRefs;

    use super::*;

    #[test]
    fn nodes_keep_the_form_of_their_ids() {
        let [before, after] = [
            "Intro words.\n\n## Set up\n\nRun `make` here.\n",
            "New.\n\nIntro words.\n\n## Set up again\n\nRun `make` here.\n",
        ]
        .map(|text| quire_markup::parse(text, &StableRefs));
        let nodes = ["0", "1", "set-up", "2", "9", "absent"].map(str::to_owned);
        let expected = [Some("1"), Some("2"), Some("set-up-again"), Some("3"), None, None];
        assert_eq!(trace(&before, &after, &nodes), expected.map(|id| id.map(str::to_owned)));
    }
}
