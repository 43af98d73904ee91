//! Security headers for browsers.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;

use crate::state::State;

/// Responses load nothing and cannot be framed.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'";
/// HSTS for one year. Subdomains are not included, because they may belong to other services.
const HTTPS_ONLY: &str = "max-age=31536000";

/// Adds the security headers that a response does not set itself.
///
/// # Errors
/// Errors of the inner services.
pub async fn protect_browsers<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let is_https =
        request.app_data::<State>().is_some_and(|state| state.settings.base_url.starts_with("https://"));
    let mut response = next.call(request).await?;
    let status = response.status();
    protect(response.headers_mut(), status, is_https);
    Ok(response)
}

fn protect(headers: &mut HeaderMap, status: StatusCode, is_https: bool) {
    let mut add = |name: HeaderName, value| {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    add(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    // URLs may contain share link keys, visitor tokens and signatures.
    add(header::REFERRER_POLICY, "no-referrer");
    if is_https {
        add(header::STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
    }
    // A browser copies the headers of a 304 to its cached response, which may be a file with its own policy.
    if status != StatusCode::NOT_MODIFIED && !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    // For browsers and scanners that do not support `frame-ancestors`.
    if forbids_frames(headers) && !headers.contains_key(header::X_FRAME_OPTIONS) {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
}

/// Returns whether the policy of a response forbids framing.
fn forbids_frames(headers: &HeaderMap) -> bool {
    let policies = headers.get_all(header::CONTENT_SECURITY_POLICY).filter_map(|policy| policy.to_str().ok());
    let mut directives = policies.flat_map(|policy| policy.split([';', ','])).map(str::trim);
    directives.any(|directive| directive == "frame-ancestors 'none'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn protected(own: &[(HeaderName, &'static str)], status: StatusCode, is_https: bool) -> Vec<String> {
        let mut headers = HeaderMap::new();
        for (name, value) in own {
            headers.insert(name.clone(), HeaderValue::from_static(value));
        }
        protect(&mut headers, status, is_https);
        let mut lines: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        lines.sort();
        lines
    }

    #[test]
    fn answers_are_protected_and_keep_a_policy_of_their_own() {
        let always = ["referrer-policy: no-referrer", "x-content-type-options: nosniff"];
        let policy = "content-security-policy: default-src 'none'; frame-ancestors 'none'";
        assert_eq!(
            protected(&[], StatusCode::OK, false),
            [policy, always[0], always[1], "x-frame-options: DENY"]
        );
        let own = [(header::CONTENT_SECURITY_POLICY, "sandbox"), (header::REFERRER_POLICY, "origin")];
        assert_eq!(
            protected(&own, StatusCode::OK, false),
            ["content-security-policy: sandbox", "referrer-policy: origin", always[1]]
        );
        let page = [(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
        )];
        assert!(protected(&page, StatusCode::NOT_FOUND, false).contains(&"x-frame-options: DENY".to_owned()));
        let framed = [(header::CONTENT_SECURITY_POLICY, "frame-ancestors 'self'")];
        assert!(!protected(&framed, StatusCode::OK, false).contains(&"x-frame-options: DENY".to_owned()));
        assert_eq!(
            protected(&[], StatusCode::NOT_MODIFIED, true),
            [always[0], "strict-transport-security: max-age=31536000", always[1]]
        );
    }
}
