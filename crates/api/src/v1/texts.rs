//! Texts of bodies.

use quire_domain::bounded::{Bounded, Kind};

use crate::error::{ApiError, ApiResult};

/// Takes a text out of a body.
///
/// # Errors
/// 400 for a text out of bounds, which the extractors of bodies have ruled out.
pub(crate) fn text<K: Kind>(field: &str, text: Option<Bounded<K>>) -> ApiResult<Option<String>> {
    let text = text.map(Bounded::into_text).transpose();
    text.map_err(|error| ApiError::invalid_field(field, error.to_string()))
}
