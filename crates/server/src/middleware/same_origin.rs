//! Protection against cross-site request forgery, for requests with a session cookie.

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _, HttpRequest, ResponseError};
use quire_domain::error::Reason;

use crate::error::ApiError;
use crate::routing::Matched;
use crate::session_cookie;
use crate::state::State;
use crate::urls::{SAML_RESPONSES, base_origin};

/// Relation of the page that sent a request to the target of the request. Scripts cannot set this header.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Answers 403 to a request that can change something, is authenticated by a cookie, and was not sent by a page of this
/// origin. Requests with an `Authorization` header need no check, because browsers do not add it on their own.
/// Responses of SAML providers need none either, because they do not use the session: a browser sends the cookie with
/// them if both hosts belong to the same site.
///
/// # Errors
/// Errors of the inner services.
pub async fn require_same_origin<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let is_checked = !is_response_of_provider(&request) && has_cookie_alone(request.request());
    if is_checked && !is_allowed(request.request()) {
        let refused = ApiError::new(Reason::CrossSiteRequest).error_response();
        return Ok(request.into_response(refused).map_into_right_body());
    }
    Ok(next.call(request).await?.map_into_left_body())
}

/// Returns whether a request cannot change anything or was sent by a page of this origin.
#[must_use]
pub fn is_allowed(request: &HttpRequest) -> bool {
    let origin = || request.app_data::<State>().map(|state| base_origin(&state.settings.base_url));
    request.method().is_safe() || origin().is_some_and(|origin| is_from(request.headers(), &origin))
}

fn is_response_of_provider(request: &ServiceRequest) -> bool {
    let extensions = request.extensions();
    let endpoint = extensions.get::<Matched>().and_then(Matched::endpoint);
    endpoint.is_some_and(|endpoint| endpoint.path == SAML_RESPONSES)
}

fn has_cookie_alone(request: &HttpRequest) -> bool {
    !request.headers().contains_key(header::AUTHORIZATION) && session_cookie::credentials(request).is_some()
}

/// Returns whether a page of `origin` sent the request. Browsers send `Sec-Fetch-Site` over HTTPS and to localhost, and
/// `Origin` with every unsafe request.
fn is_from(headers: &HeaderMap, origin: &str) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    match text(SEC_FETCH_SITE) {
        Some(site) => site == "same-origin",
        None => text(header::ORIGIN).is_some_and(|sent| sent == origin),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn pages_of_other_origins_are_recognized() {
        let own = "https://docs.example.com";
        for (site, origin, expected) in [
            (Some("same-origin"), None, true),
            (Some("same-origin"), Some("null"), true),
            (Some("same-site"), Some(own), false),
            (Some("cross-site"), None, false),
            (Some("none"), None, false),
            (None, Some(own), true),
            (None, Some("https://evil.example.com"), false),
            (None, Some("http://docs.example.com"), false),
            (None, Some("null"), false),
            (None, None, false),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [(SEC_FETCH_SITE, site), (header::ORIGIN, origin)] {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            assert_eq!(is_from(&headers, own), expected, "{site:?} {origin:?}");
        }
    }
}
