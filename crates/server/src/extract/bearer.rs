//! Bearer tokens of requests.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header;
use quire_domain::error::Reason;

use crate::error::ApiError;
use crate::site_token::{self, SiteTokenHolder};
use crate::state::State;

/// Returns the text after the scheme `Bearer`, which is case-insensitive (RFC 9110, 11.1).
pub(super) fn bearer(request: &HttpRequest) -> Option<&str> {
    let value = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Returns whether a request has the key of a share link or a visitor token in its query, and no `Authorization`
/// header.
pub(super) fn has_visitor_key(request: &HttpRequest) -> bool {
    let mut parameters = request.query_string().split('&');
    parameters.any(|parameter| parameter.starts_with("shareKey=") || parameter.starts_with("jwtToken="))
        && !request.headers().contains_key(header::AUTHORIZATION)
}

/// Returns the holder of the site token of a request.
pub(super) fn holder(request: &HttpRequest) -> Option<Arc<SiteTokenHolder>> {
    let state = request.app_data::<State>()?;
    site_token::holder(&state.signer, bearer(request)?, state.storage.clock().now())
}

/// Returns the error of a route that visitors of sites may not use: 404 for the holder of a site token, as for
/// everything outside the site, and 401 for others.
pub(super) fn refused(request: &HttpRequest) -> ApiError {
    match holder(request) {
        Some(_) => ApiError::not_found(),
        None => ApiError::new(Reason::Unauthenticated),
    }
}
