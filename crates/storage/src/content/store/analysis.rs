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

    /// Finds nodes of one version of a document in another version; `None` for nodes that cannot be found. If quoted
    /// words cannot be found, their offset is `None`.
    fn trace(
        &self,
        before: &DocumentJson,
        after: &DocumentJson,
        nodes: &[QuotedNode],
    ) -> Vec<Option<QuotedNode>>;

    /// Finds nodes among the blocks that other documents gained. Returns each node with the index of its document;
    /// `None` for nodes that cannot be found.
    fn trace_elsewhere(
        &self,
        nodes: &[LostNode<'_>],
        gaining: &[GainingDocument<'_>],
    ) -> Vec<Option<(usize, QuotedNode)>> {
        let _ = gaining;
        vec![None; nodes.len()]
    }

    /// Returns a hash of the input of a tree's computed pages, for the search index; `None` for a tree without
    /// placeholders, which takes no statement.
    fn computed_state(
        &self,
        reader: &mut Reader<'_>,
        specs: ReadableSpecs,
        tree: &Tree,
    ) -> Result<Option<NonZeroU64>> {
        let _ = (reader, specs, tree);
        Ok(None)
    }

    /// Returns the computed pages of a tree; `None` if it has none.
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

/// Computed pages of a tree.
pub trait ComputedPages {
    /// Returns the tree with the computed pages.
    fn tree(&self) -> &Tree;

    /// Returns the ids of the pages, in any order.
    fn ids(&self) -> &[PageId];

    /// Returns the sections of a page.
    fn sections(&self, reader: &mut Reader<'_>, page: PageId) -> Result<Vec<SectionFact>>;
}

/// Node of a document, with the quoted words of a comment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuotedNode {
    /// Id of the node.
    pub id: String,
    /// Quoted words; `None` for the whole node.
    pub quote: Option<NodeQuote>,
}

/// Node that its page no longer contains.
#[derive(Clone, Copy, Debug)]
pub struct LostNode<'d> {
    /// Document that contains the node.
    pub document: &'d DocumentJson,
    /// Node.
    pub node: &'d QuotedNode,
    /// Index of the gaining document of the same page, which is not searched.
    pub own: Option<usize>,
}

/// Two versions of a document, of which the later may have gained blocks.
#[derive(Clone, Copy, Debug)]
pub struct GainingDocument<'d> {
    /// Earlier version; `None` for a new page.
    pub before: Option<&'d DocumentJson>,
    /// Later version.
    pub after: &'d DocumentJson,
}

impl QuotedNode {
    /// Returns the approximate memory in bytes.
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
    /// Conditions of the `if` blocks, in document order; `None` for a document stored by an earlier version without
    /// them.
    pub conditions: Option<Vec<ConditionFact>>,
}

/// Stored forms of references.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredLinks {
    /// References without conditions.
    Former(Vec<LinkFact>),
    Current {
        links: Vec<LinkFact>,
        conditions: Vec<ConditionFact>,
    },
}

impl From<StoredLinks> for DocumentLinks {
    fn from(stored: StoredLinks) -> Self {
        match stored {
            // Without links, there is nothing that a condition could hide.
            StoredLinks::Former(links) if links.is_empty() => Self { links, conditions: Some(Vec::new()) },
            StoredLinks::Former(links) => Self { links, conditions: None },
            StoredLinks::Current { links, conditions } => Self { links, conditions: Some(conditions) },
        }
    }
}

/// Condition of an `if` block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionFact {
    /// Expression; `None` for a block without one, which is never shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// Index of the enclosing `if` block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
}

/// Reference in a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkFact {
    /// Content reference, with its `kind`.
    pub reference: Value,
    /// `true` if the document cannot be shown without the target.
    #[serde(default, skip_serializing_if = "is_false")]
    pub depends_on: bool,
    /// Node that contains the reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Index of the innermost enclosing `if` block.
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

/// Searchable section: the text below a heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionFact {
    /// Anchor of the heading; `None` for text before the first heading.
    pub anchor: Option<String>,
    /// Text of the heading.
    pub heading: Option<String>,
    /// Text below the heading.
    pub text: String,
}

/// Document to store with a commit. It is analyzed before the transaction begins, so that a commit parses nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyzedDocument {
    id: DocumentId,
    /// Document as canonical JSON. Its id is the hash of this text.
    pub(crate) body: DocumentJson,
    pub(crate) links: DocumentLinks,
    pub(crate) anchors: Vec<String>,
    pub(crate) sections: Arc<[SectionFact]>,
    pub(crate) tags: Vec<Value>,
}

impl AnalyzedDocument {
    /// Wraps a document in canonical JSON, with its extracted data.
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

    /// Returns the data extracted from the document.
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
    /// Caches the sections of new documents for later commits. Documents are created outside of transactions.
    pub fn remember(&self, documents: &[AnalyzedDocument]) {
        debug_assert_outside_transaction();
        for document in documents {
            self.caches().sections.insert(document.id, Arc::clone(&document.sections));
        }
    }

    /// Returns the sections of a stored document, and caches them.
    pub(crate) fn sections_of(&self, id: DocumentId, document: &DocumentJson) -> Arc<[SectionFact]> {
        self.caches().sections.get_or_make(id, || self.extract_sections(document))
    }

    /// Returns the sections of a stored document.
    pub(crate) fn extract_sections(&self, document: &DocumentJson) -> Arc<[SectionFact]> {
        self.analyzer().analyze(document).sections.into()
    }
}

/// Returns the approximate memory of sections in bytes.
pub(super) fn weight_of_sections(sections: &[SectionFact]) -> usize {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let of_section = |section: &SectionFact| {
        size_of::<SectionFact>() + length(&section.anchor) + length(&section.heading) + section.text.len()
    };
    sections.iter().map(of_section).sum()
}
