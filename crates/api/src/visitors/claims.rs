//! Claims of visitors in expressions.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_conditions::Visitor;
use quire_content::reading::Expressions;
use quire_content::sections;
use quire_domain::bounds::CONDITION_MAX;
use quire_domain::documents::DocumentJson;
use quire_markup::reading::{evaluate_conditions, evaluate_expressions};
use quire_markup::{ContentRef, Document, Relation, links};
use quire_storage::content::SectionFact;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// A conditional block in canonical JSON.
const CONDITIONAL: &str = r#""type":"if""#;

/// Claims that conditions and inline expressions are evaluated with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claims(Arc<Value>);

impl Default for Claims {
    fn default() -> Self {
        Self(Arc::new(json!({})))
    }
}

impl From<&Value> for Claims {
    fn from(claims: &Value) -> Self {
        Self(Arc::new(claims.clone()))
    }
}

impl Claims {
    /// Returns the evaluator of one answer, which bounds the work of all its expressions together.
    pub(crate) fn evaluator(&self) -> Evaluator {
        Evaluator(Visitor::new(&self.0))
    }

    /// Returns a text that differs for other claims, for entity tags.
    pub(crate) fn digest(&self) -> String {
        format!("visitor {}", URL_SAFE_NO_PAD.encode(Sha256::digest(self.0.to_string())))
    }
}

/// Evaluator of expressions.
pub(crate) struct Evaluator(Visitor);

impl Evaluator {
    /// Returns the sections of a document that the visitor reads; `None` for a document without conditional parts.
    pub(crate) fn sections(&self, stored: &DocumentJson) -> Option<Vec<SectionFact>> {
        if !stored.as_str().contains(CONDITIONAL) {
            return None;
        }
        // An unreadable document was written by a newer version and shows nothing.
        let mut document = Document::from_stored(stored.as_bytes()).unwrap_or_default();
        evaluate_conditions(&mut document, &|condition| self.holds(condition));
        evaluate_expressions(&mut document, &|expression| self.text(expression));
        Some(sections(&document))
    }
}

impl Evaluator {
    /// Returns whether the visitor sees a block of a document that shows a specification with one of these names. The
    /// document has such a block.
    pub(crate) fn shows_spec(&self, stored: &DocumentJson, names: &[String]) -> bool {
        if !stored.as_str().contains(CONDITIONAL) {
            return true;
        }
        let mut document = Document::from_stored(stored.as_bytes()).unwrap_or_default();
        evaluate_conditions(&mut document, &|condition| self.holds(condition));
        links(&document).iter().any(|link| {
            let ContentRef::OpenApi { spec } = &link.reference else { return false };
            link.relation == Relation::DependsOn && names.contains(spec)
        })
    }
}

impl Expressions for Evaluator {
    fn holds(&self, condition: &str) -> bool {
        is_bounded(condition) && self.0.meets(condition)
    }

    fn text(&self, expression: &str) -> Option<String> {
        is_bounded(expression).then(|| self.0.text(expression)).flatten()
    }
}

/// Documents bound their text but not single expressions.
fn is_bounded(expression: &str) -> bool {
    u64::try_from(expression.len()).is_ok_and(|length| length <= CONDITION_MAX)
}
