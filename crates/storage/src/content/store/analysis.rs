//! Documents with their links, anchors, tags and search sections, extracted before they are stored.

use std::num::NonZeroU64;
use std::sync::Arc;

use quire_database::optimistic::debug_assert_outside_transaction;
use quire_domain::comments::NodeQuote;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, PageId};
use quire_domain::links::LinkRelation;
use quire_revision::Tree;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::content::openapi_specs::ReadableSpecs;
use crate::transaction::Reader;
use crate::{Result, Storage};

/// Extraction of links, anchors and sections, implemented by the document model.
pub trait DocumentAnalyzer: Send + Sync {
    /// Extracts the references, anchors and sections of a stored document.
    fn analyze(&self, document: &DocumentJson) -> Analysis;

    /// Returns the nodes of one version of a document in another one; `None` for nodes that can't be found. The offset
    /// of quoted words that can't be found is `None`.
    fn trace(
        &self,
        before: &DocumentJson,
        after: &DocumentJson,
        nodes: &[QuotedNode],
    ) -> Vec<Option<QuotedNode>>;

    /// Returns nodes of documents among the blocks that other documents gained, each with the number of the document;
    /// `None` for nodes that none of these has.
    fn trace_elsewhere(
        &self,
        nodes: &[LostNode<'_>],
        gaining: &[GainingDocument<'_>],
    ) -> Vec<Option<(usize, QuotedNode)>> {
        let _ = gaining;
        vec![None; nodes.len()]
    }

    /// Returns a hash of what the computed pages of a tree follow from, for the search index; `None` for a tree without
    /// placeholders, which needs no statement.
    fn computed_state(
        &self,
        reader: &mut Reader<'_>,
        specs: ReadableSpecs,
        tree: &Tree,
    ) -> Result<Option<NonZeroU64>> {
        let _ = (reader, specs, tree);
        Ok(None)
    }

    /// Returns the computed pages of a tree; `None` without any.
    fn computed_pages(
        &self,
        reader: &mut Reader<'_>,
        specs: ReadableSpecs,
        tree: &Tree,
    ) -> Result<Option<Box<dyn ComputedPages>>> {
        let _ = (reader, specs, tree);
        Ok(None)
    }
}

/// The computed pages of a tree.
pub trait ComputedPages {
    /// Returns the tree with these pages.
    fn tree(&self) -> &Tree;

    /// Returns the pages, in any order.
    fn ids(&self) -> &[PageId];

    /// Returns the sections of a page.
    fn sections(&self, reader: &mut Reader<'_>, page: PageId) -> Result<Vec<SectionFact>>;
}

/// Node of a document, with the words of it that a comment is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuotedNode {
    /// Id of the node.
    pub id: String,
    /// The words; `None` for the whole node.
    pub quote: Option<NodeQuote>,
}

/// Node that its page no longer has.
#[derive(Clone, Copy, Debug)]
pub struct LostNode<'d> {
    /// Document that has the node.
    pub document: &'d DocumentJson,
    /// The node.
    pub node: &'d QuotedNode,
    /// Number of the gaining document of the same page, which is left out.
    pub own: Option<usize>,
}

/// Two versions of a document that may have gained blocks.
#[derive(Clone, Copy, Debug)]
pub struct GainingDocument<'d> {
    /// The earlier version; `None` for a new page.
    pub before: Option<&'d DocumentJson>,
    /// The later version.
    pub after: &'d DocumentJson,
}

impl QuotedNode {
    /// Approximate memory in bytes.
    pub(super) fn weight(&self) -> usize {
        self.id.len().saturating_add(self.quote.as_ref().map_or(0, |quote| quote.text.len()))
    }
}

/// Data stored with a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// References.
    pub links: DocumentLinks,
    /// Anchors of the headings, in document order.
    pub anchors: Vec<String>,
    /// Searchable sections, in document order.
    pub sections: Vec<SectionFact>,
    /// References to the tags of updates.
    pub tags: Vec<Value>,
}

/// References of a document, with the conditions of the blocks that contain them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredLinks")]
pub struct DocumentLinks {
    /// References, in document order.
    pub links: Vec<LinkFact>,
    /// Conditions of the `if` blocks, in document order; `None` for a document that was stored before they were.
    pub conditions: Option<Vec<ConditionFact>>,
}

/// The forms in which references are stored.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredLinks {
    /// References alone.
    Former(Vec<LinkFact>),
    Current {
        links: Vec<LinkFact>,
        conditions: Vec<ConditionFact>,
    },
}

impl From<StoredLinks> for DocumentLinks {
    fn from(stored: StoredLinks) -> Self {
        match stored {
            // Without a link there is nothing that a condition could hide.
            StoredLinks::Former(links) if links.is_empty() => Self { links, conditions: Some(Vec::new()) },
            StoredLinks::Former(links) => Self { links, conditions: None },
            StoredLinks::Current { links, conditions } => Self { links, conditions: Some(conditions) },
        }
    }
}

/// The condition of an `if` block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionFact {
    /// The expression; `None` for a block without one, which is never shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// Number of the `if` block that contains this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
}

/// One reference in a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkFact {
    /// The content reference, with its `kind`.
    pub reference: Value,
    /// Set when the document can't be shown without the target.
    #[serde(default, skip_serializing_if = "is_false")]
    pub depends_on: bool,
    /// The node that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Number of the innermost `if` block that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<usize>,
}

impl LinkFact {
    /// Returns the relation of the document to the target.
    #[must_use]
    pub fn relation(&self) -> LinkRelation {
        if self.depends_on { LinkRelation::DependsOn } else { LinkRelation::Reference }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// One searchable section: the text below a heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionFact {
    /// The anchor of the heading; `None` above the first.
    pub anchor: Option<String>,
    /// The text of the heading.
    pub heading: Option<String>,
    /// The text below it.
    pub text: String,
}

/// A document to be stored with a commit. It is made before the transaction begins, so that a commit has nothing to
/// parse.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyzedDocument {
    id: DocumentId,
    /// The document as canonical JSON, of which its id is the hash.
    pub(crate) body: DocumentJson,
    pub(crate) links: DocumentLinks,
    pub(crate) anchors: Vec<String>,
    pub(crate) sections: Arc<[SectionFact]>,
    pub(crate) tags: Vec<Value>,
}

impl AnalyzedDocument {
    /// A document as canonical JSON, with what was extracted from it.
    #[must_use]
    pub fn new(id: DocumentId, body: DocumentJson, analysis: Analysis) -> Self {
        let Analysis { links, anchors, sections, tags } = analysis;
        Self { id, body, links, anchors, sections: sections.into(), tags }
    }

    /// Returns the hash of the document.
    #[must_use]
    pub fn id(&self) -> DocumentId {
        self.id
    }

    /// Returns what was extracted from the document.
    #[must_use]
    pub fn analysis(&self) -> Analysis {
        let (links, anchors, tags) = (self.links.clone(), self.anchors.clone(), self.tags.clone());
        Analysis { links, anchors, sections: self.sections.to_vec(), tags }
    }

    /// Returns the document.
    #[must_use]
    pub fn body(&self) -> &DocumentJson {
        &self.body
    }
}

impl Storage {
    /// Keeps the sections of new documents in memory for the commits to come. Documents are made outside of
    /// transactions.
    pub fn remember(&self, documents: &[AnalyzedDocument]) {
        debug_assert_outside_transaction();
        for document in documents {
            self.caches().sections.insert(document.id, Arc::clone(&document.sections));
        }
    }

    /// Returns the sections of a stored document, which stay in memory.
    pub(crate) fn sections_of(&self, id: DocumentId, document: &DocumentJson) -> Arc<[SectionFact]> {
        self.caches().sections.get_or_make(id, || self.extract_sections(document))
    }

    /// Returns the sections of a stored document.
    pub(crate) fn extract_sections(&self, document: &DocumentJson) -> Arc<[SectionFact]> {
        self.analyzer().analyze(document).sections.into()
    }
}

/// Approximate memory of sections in bytes.
pub(super) fn weight_of_sections(sections: &[SectionFact]) -> usize {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let of_section = |section: &SectionFact| {
        size_of::<SectionFact>() + length(&section.anchor) + length(&section.heading) + section.text.len()
    };
    sections.iter().map(of_section).sum()
}
