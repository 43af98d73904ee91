//! Positions of the write-ahead log that callers have seen, if the database has replicas. The response to a write has
//! the position after its COMMIT. A later request to any node sends it back, in a header or a cookie.

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use quire_storage::lookup::Credentials;
use quire_storage::{LogPosition, Storage};

use super::scope::RequestScope;
use crate::extract::{credentials, scim_credentials};

/// Header with a position.
pub const POSITION: HeaderName = HeaderName::from_static("quire-position");
/// Cookie with a position, for callers that keep cookies.
const COOKIE: &str = "quire_position";
/// Lifetime of the cookie in seconds. After it, every replica in use has replayed the position.
const COOKIE_SECONDS: u8 = 3;

/// Records the position that the caller of a request has seen. A malformed position sends reads to the primary.
pub(super) fn note_sent(request: &HttpRequest, storage: &Storage) {
    let Some(sent) = sent(request.headers()) else { return };
    if let Some(caller) = caller(request) {
        storage.note_seen(&caller, sent.parse().unwrap_or(LogPosition::UNREACHABLE));
    }
}

/// Returns the credentials of a user or identity provider. They identify the reads that follow a write.
fn caller(request: &HttpRequest) -> Option<Credentials> {
    credentials(request).or_else(|| scim_credentials(request))
}

/// Returns the position in the header, or else in the cookie.
fn sent(headers: &HeaderMap) -> Option<&str> {
    let named = headers.get(POSITION).map(|value| value.to_str().unwrap_or_default());
    let cookies = headers.get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    named.or_else(|| pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value).last())
}

/// Records the position after the COMMIT of a request that wrote, and adds it to the response.
pub(super) fn record_position(
    request: &HttpRequest,
    storage: &Storage,
    scope: &RequestScope,
    answer: &mut HeaderMap,
) {
    if !scope.has_written() {
        return;
    }
    let Some(position) = storage.committed() else { return };
    if let Some(caller) = caller(request) {
        storage.note_seen(&caller, position);
    }
    let cookie = format!("{COOKIE}={position}; Max-Age={COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Lax");
    let values = [HeaderValue::from_str(&position.to_string()), HeaderValue::from_str(&cookie)];
    if let [Ok(position), Ok(cookie)] = values {
        answer.insert(POSITION, position);
        answer.append(header::SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_precedes_the_cookie() {
        let mut headers = HeaderMap::new();
        assert_eq!(sent(&headers), None);
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; quire_position=0/1"));
        assert_eq!(sent(&headers), Some("0/1"));
        headers.insert(POSITION, HeaderValue::from_static("0/2"));
        assert_eq!(sent(&headers), Some("0/2"));
    }
}
