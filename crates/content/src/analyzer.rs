//! Document analysis for the storage.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::num::NonZeroU64;

use quire_domain::comments::NodeQuote;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::DocumentId;
use quire_markup::{Document, LinkCondition, NamedNode, Section};
use quire_revision::{BlockAlignment, GainedBlocks, Tree, WordAlignment};
use quire_storage::content::openapi_specs::ReadableSpecs;
use quire_storage::content::store::{
    Analysis, AnalyzedDocument, ComputedPages, ConditionFact, DocumentAnalyzer, DocumentLinks,
    GainingDocument, LinkFact, LostNode, QuotedNode, SectionFact,
};
use quire_storage::{Reader, Result as StorageResult};
use serde_json::Value;

use crate::computed::{readable, searched_pages, state};

/// Prepares a document for the storage. Canonical JSON, id and analysis all come from the typed document.
#[must_use]
pub fn new_document(document: &Document) -> AnalyzedDocument {
    let body = DocumentJson::from(document.to_canonical_json());
    let id = DocumentId::of_canonical(body.as_bytes());
    AnalyzedDocument::new(id, body, analysis(document))
}

/// Analyzer that reads documents with `quire-markup`.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkupAnalyzer;

impl DocumentAnalyzer for MarkupAnalyzer {
    fn analyze(&self, document: &DocumentJson) -> Analysis {
        stored(document).map_or_else(Analysis::default, |document| analysis(&document))
    }

    fn trace(
        &self,
        before: &DocumentJson,
        after: &DocumentJson,
        nodes: &[QuotedNode],
    ) -> Vec<Option<QuotedNode>> {
        match stored(before).zip(stored(after)) {
            Some((before, after)) => trace(&before, &after, nodes),
            None => vec![None; nodes.len()],
        }
    }

    fn trace_elsewhere(
        &self,
        nodes: &[LostNode<'_>],
        gaining: &[GainingDocument<'_>],
    ) -> Vec<Option<(usize, QuotedNode)>> {
        trace_elsewhere(nodes, gaining)
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

/// Finds nodes of an earlier version of a document in a later one.
fn trace(before: &Document, after: &Document, nodes: &[QuotedNode]) -> Vec<Option<QuotedNode>> {
    let (old, new) = (value(before), value(after));
    let mut alignment = BlockAlignment::new(&old, &new);
    let mut words: HashMap<String, WordAlignment> = HashMap::new();
    let trace = |QuotedNode { id, quote }: &QuotedNode| {
        let node = quire_markup::find_node(before, id)?;
        let path = alignment.trace(&node.path)?;
        let quote = quote.as_ref().map(|NodeQuote { text, offset }| {
            let words = words.entry(node.path.clone()).or_insert_with(|| {
                let text = |document, path| quire_markup::node_text(document, path).unwrap_or_default();
                WordAlignment::new(text(before, &node.path), text(after, &path))
            });
            NodeQuote { text: text.clone(), offset: offset.and_then(|at| words.trace(text, at)) }
        });
        let id = quire_markup::node_id(after, &NamedNode { path, ..node })?;
        Some(QuotedNode { id, quote })
    };
    nodes.iter().map(trace).collect()
}

/// Finds nodes of documents in the blocks that other documents gained. Each node is found in the document with the most
/// similar block, the first one if there are several.
fn trace_elsewhere(
    nodes: &[LostNode<'_>],
    gaining: &[GainingDocument<'_>],
) -> Vec<Option<(usize, QuotedNode)>> {
    let gained: Vec<Option<(Document, GainedBlocks)>> = gaining
        .iter()
        .map(|GainingDocument { before, after }| {
            let before = before.and_then(stored).map(|document| value(&document));
            let after = stored(after)?;
            let blocks = GainedBlocks::new(before.as_ref(), &value(&after));
            Some((after, blocks))
        })
        .collect();
    let trace = |LostNode { document, node: QuotedNode { id, quote }, own }: &LostNode<'_>| {
        let before = stored(document)?;
        let node = quire_markup::find_node(&before, id)?;
        let content = value(&before);
        let others = gained.iter().enumerate().filter(|(number, _)| Some(*number) != *own);
        let found = others.filter_map(|(number, gained)| {
            let (after, blocks) = gained.as_ref()?;
            let (path, likeness) = blocks.find(&content, &node.path)?;
            Some((likeness, number, after, path))
        });
        let (_, number, after, path) =
            found.max_by_key(|(likeness, number, ..)| (*likeness, Reverse(*number)))?;
        let quote = quote.as_ref().map(|NodeQuote { text, offset }| {
            let words = |document, path| quire_markup::node_text(document, path).unwrap_or_default();
            let words = WordAlignment::new(words(&before, &node.path), words(after, path));
            NodeQuote { text: text.clone(), offset: offset.and_then(|at| words.trace(text, at)) }
        });
        let id = quire_markup::node_id(after, &NamedNode { path: path.to_owned(), ..node })?;
        Some((number, QuotedNode { id, quote }))
    };
    nodes.iter().map(trace).collect()
}

fn value(document: &Document) -> Value {
    serde_json::from_str(document.to_canonical_json().get()).unwrap_or_default()
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
            // The cache weighs texts by their length, not by their capacity.
            text.shrink_to_fit();
            SectionFact { anchor, heading, text }
        })
        .collect()
}

/// Returns a stored document, or `None` if it is unreadable. Invalid documents are not stored, so a newer version wrote
/// it.
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
        let node = |id: &str| QuotedNode { id: id.to_owned(), quote: None };
        let nodes = ["0", "1", "set-up", "2", "9", "absent"].map(node);
        let expected = [Some("1"), Some("2"), Some("set-up-again"), Some("3"), None, None];
        assert_eq!(trace(&before, &after, &nodes), expected.map(|id| id.map(node)));
    }

    #[test]
    fn quoted_words_follow_their_block() {
        const BEFORE: &str =
            "First words.\n\nRun *the tool* with care, then the tool again.\n\nIt ends well.\n";
        let trace = |after: &str, id: &str, text: &str, offset| {
            let [before, after] = [BEFORE, after].map(|text| quire_markup::parse(text, &StableRefs));
            let quote = Some(NodeQuote { text: text.to_owned(), offset: Some(offset) });
            let [found] =
                trace(&before, &after, &[QuotedNode { id: id.to_owned(), quote }]).try_into().unwrap();
            found.map(|QuotedNode { id, quote }| (id, quote.unwrap().offset))
        };
        for (after, expected) in [
            // A block above, words before and after, and another mark.
            ("New.\n\nFirst words.\n\nRun the tool with care, then the tool again.\n", Some(("2", Some(29)))),
            ("Now run **the tool** with care, then the tool again and again.\n", Some(("0", Some(33)))),
            // Moved below another block.
            ("It ends well.\n\nRun *the tool* with care, then the tool again.\n", Some(("1", Some(29)))),
            // Merged with the block above.
            ("First words. Run *the tool* with care, then the tool again.\n", Some(("0", Some(42)))),
            // The words are removed, the block remains.
            ("Run *the tool* with care, then the new tool again.\n", Some(("0", None))),
            ("Run *the tool* with care.\n", Some(("0", None))),
            ("Something else.\n", None),
        ] {
            let found = trace(after, "1", "the tool", 29);
            assert_eq!(found.as_ref().map(|(id, offset)| (id.as_str(), *offset)), expected, "{after}");
        }
        assert_eq!(trace(BEFORE, "1", "the tool", 4), Some(("1".to_owned(), Some(4))));
    }
}
