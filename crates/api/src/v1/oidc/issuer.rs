//! Check of the URL of a provider.

use quire_domain::oidc::is_issuer;

use crate::error::{ApiError, ApiResult};

/// Refuses a URL that cannot be that of a provider.
///
/// # Errors
/// 400 that names the field.
pub(super) fn check(url: &str) -> ApiResult<()> {
    match is_issuer(url) {
        true => Ok(()),
        false => Err(ApiError::invalid_field("issuer", "must be an HTTPS URL without query and fragment")),
    }
}
