//! Parts of stored documents that a visitor of a site can see.

use quire_domain::bounds::CONDITION_MAX;
use quire_domain::documents::DocumentJson;
use quire_markup::reading::{evaluate_conditions, evaluate_expressions};
use quire_markup::{ContentRef, Document, Relation, links};
use quire_storage::content::store::SectionFact;

use crate::analyzer::sections;
use crate::reading::Expressions;

/// Marker of conditional blocks in canonical JSON.
const CONDITIONAL: &str = r#""type":"if""#;

/// Returns whether an expression is short enough to be evaluated. Documents have a limit for their text, but not for
/// single expressions.
#[must_use]
pub fn is_bounded(expression: &str) -> bool {
    u64::try_from(expression.len()).is_ok_and(|length| length <= CONDITION_MAX)
}

/// Returns the sections of a document that the visitor can see. `None` for a document without conditional blocks, which
/// every visitor sees as a whole.
#[must_use]
pub fn visible_sections(stored: &DocumentJson, visitor: &impl Expressions) -> Option<Vec<SectionFact>> {
    let mut document = visible(stored, visitor)?;
    evaluate_expressions(&mut document, &|expression| visitor.text(expression));
    Some(sections(&document))
}

/// Returns whether the visitor sees a block with one of these specifications. The document must have such a block.
#[must_use]
pub fn shows_spec(stored: &DocumentJson, visitor: &impl Expressions, names: &[String]) -> bool {
    let Some(document) = visible(stored, visitor) else { return true };
    links(&document).iter().any(|link| {
        let ContentRef::OpenApi { spec } = &link.reference else { return false };
        link.relation == Relation::DependsOn && names.contains(spec)
    })
}

/// Returns a document without the blocks whose conditions are false. `None` if it has no conditional blocks.
fn visible(stored: &DocumentJson, visitor: &impl Expressions) -> Option<Document> {
    if !stored.as_str().contains(CONDITIONAL) {
        return None;
    }
    // A newer version wrote an unreadable document. It shows nothing.
    let mut document = Document::from_stored(stored.as_bytes()).unwrap_or_default();
    evaluate_conditions(&mut document, &|condition| visitor.holds(condition));
    Some(document)
}
