//! Documents in the form that readers get.

use quire_content::reading::{Evaluation, ReaderForm};
use quire_domain::documents::DocumentJson;
use quire_markup::Document;

use super::answer::Source;
use crate::error::ApiResult;
use crate::visitors::Claims;

/// Brings a document into a form. Users have no claims, so a condition that needs one is false. Visitors never get
/// parts of a document whose conditions they don't meet.
///
/// # Errors
/// When a statement fails or a stored document can't be read.
pub(super) fn reader_document(
    source: &mut Source<'_, '_>,
    document: Option<&DocumentJson>,
    mut form: ReaderForm,
) -> ApiResult<Document> {
    let Source { reader, content, tree, claims, .. } = source;
    if claims.is_some() && form.evaluation == Evaluation::None {
        form.evaluation = Evaluation::Conditions;
    }
    let evaluator = claims.map_or_else(|| Claims::default().evaluator(), Claims::evaluator);
    Ok(form.of(reader, content, tree, document, &evaluator)?)
}
