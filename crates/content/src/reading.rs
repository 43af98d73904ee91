//! Documents in the form for readers, with the reusable contents that they refer to.

use std::collections::{BTreeSet, HashMap};

use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, ReusableContentId};
use quire_markup::Document;
use quire_markup::reading::{
    Included, MAX_INCLUSION_DEPTH, evaluate_conditions, evaluate_expressions, identify, include,
    reusable_contents,
};
use quire_revision::Tree;
use quire_storage::Reader;
use quire_storage::content::store::ContentPoint;
use quire_storage::lookup::Authorized;

use crate::error::Result;
use crate::page_body::stored_document;

/// Maximum number of bytes of included documents that are loaded per document and level of inclusion.
const MAX_INCLUDED_BYTES: u32 = 8 << 20;

/// Evaluator of expressions in a document.
pub trait Expressions {
    /// Returns the truth value of a condition. False if the evaluation fails.
    fn holds(&self, condition: &str) -> bool;

    /// Returns the text of an expression. `None` if the evaluation fails.
    fn text(&self, expression: &str) -> Option<String>;
}

/// Parts of a document to evaluate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// Nothing.
    #[default]
    None,
    /// `if` blocks.
    Conditions,
    /// `if` blocks and inline expressions.
    All,
}

/// Steps that turn a stored document into the form for readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReaderForm {
    /// Parts to evaluate.
    pub evaluation: Evaluation,
    /// Replaces references to reusable contents of the space by their documents.
    pub dereferenced: bool,
    /// Adds keys and anchors to nodes.
    pub identified: bool,
}

impl ReaderForm {
    /// Returns whether this is the stored form.
    #[must_use]
    pub fn is_stored(self) -> bool {
        self == Self::default()
    }

    /// Turns a stored document into this form.
    ///
    /// Sends two statements per level of inclusion, and none without reusable contents.
    ///
    /// # Errors
    /// If a stored document is unreadable.
    pub fn of(
        self,
        reader: &mut Reader<'_>,
        content: &Authorized<impl ContentPoint>,
        tree: &Tree,
        document: Option<&DocumentJson>,
        expressions: &dyn Expressions,
    ) -> Result<Document> {
        let mut document = document.map_or_else(|| Ok(Document::default()), stored_document)?;
        if self.identified {
            identify(&mut document);
        }
        if self.dereferenced {
            self.include(reader, content, tree, &mut document)?;
        }
        if self.evaluation != Evaluation::None {
            evaluate_conditions(&mut document, &|condition| expressions.holds(condition));
        }
        if self.evaluation == Evaluation::All {
            evaluate_expressions(&mut document, &|expression| expressions.text(expression));
        }
        Ok(document)
    }

    /// Replaces references to reusable contents of the space by their documents. Sends two statements per level of
    /// inclusion.
    ///
    /// # Errors
    /// If a stored document is unreadable.
    pub fn include(
        self,
        reader: &mut Reader<'_>,
        content: &Authorized<impl ContentPoint>,
        tree: &Tree,
        document: &mut Document,
    ) -> Result<()> {
        let contents = self.contents(reader, content, tree, document)?;
        include(document, &contents);
        Ok(())
    }

    /// Loads the reusable contents that a document includes, level by level.
    fn contents(
        self,
        reader: &mut Reader<'_>,
        content: &Authorized<impl ContentPoint>,
        tree: &Tree,
        document: &Document,
    ) -> Result<HashMap<String, Included>> {
        let mut found = HashMap::new();
        let mut wanted = reusable_contents(document);
        for _ in 0..MAX_INCLUSION_DEPTH {
            let level: Vec<(String, DocumentId)> = wanted
                .into_iter()
                .filter(|id| !found.contains_key(id))
                .filter_map(|id| {
                    let node = tree.reusable_content(id.parse::<ReusableContentId>().ok()?)?;
                    node.document.map(|document| (id, document))
                })
                .collect();
            let mut ids: Vec<DocumentId> = level.iter().map(|(_, id)| *id).collect();
            ids.truncate(reader.documents_within(content, &ids, MAX_INCLUDED_BYTES)?);
            let loaded = reader.documents(content, &ids)?;
            wanted = BTreeSet::new();
            for (id, document) in level {
                let Some(stored) = loaded.get(&document) else { continue };
                let mut document = stored_document(stored)?;
                if self.identified {
                    identify(&mut document);
                }
                wanted.extend(reusable_contents(&document));
                found.insert(id, Included::new(document));
            }
            if wanted.is_empty() {
                break;
            }
        }
        Ok(found)
    }
}
