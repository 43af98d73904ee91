//! Documents in the form that readers get.

use quire_conditions::Visitor;
use quire_content::reading::{Expressions, ReaderForm};
use quire_domain::bounds::CONDITION_MAX;
use quire_domain::documents::DocumentJson;
use quire_markup::Document;
use serde_json::json;

use super::answer::Source;
use crate::error::ApiResult;

/// Brings a document into a form. Callers have no claims, so a condition that needs one is false.
///
/// # Errors
/// When a statement fails or a stored document can't be read.
pub(super) fn reader_document(
    source: &mut Source<'_, '_>,
    document: Option<&DocumentJson>,
    form: ReaderForm,
) -> ApiResult<Document> {
    let Source { reader, content, tree, .. } = source;
    let visitor = Claims(Visitor::new(&json!({})));
    Ok(form.of(reader, content, tree, document, &visitor)?)
}

/// Expressions over a visitor's claims.
struct Claims(Visitor);

/// Documents bound their text but not single expressions.
fn is_bounded(expression: &str) -> bool {
    u64::try_from(expression.len()).is_ok_and(|length| length <= CONDITION_MAX)
}

impl Expressions for Claims {
    fn holds(&self, condition: &str) -> bool {
        is_bounded(condition) && self.0.meets(condition)
    }

    fn text(&self, expression: &str) -> Option<String> {
        is_bounded(expression).then(|| self.0.text(expression)).flatten()
    }
}
