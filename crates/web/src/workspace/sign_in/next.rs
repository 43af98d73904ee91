//! Page that a browser is sent to once it is signed in.

use actix_web::{HttpRequest, web};
use serde::Deserialize;

use super::frame;
use crate::state::Web;

#[derive(Deserialize)]
struct Query {
    next: Option<String>,
}

/// Returns the page that the query of a request names.
pub(super) fn of_query(web: &Web, request: &HttpRequest) -> String {
    let query = web::Query::<Query>::from_query(request.query_string());
    let next = query.ok().and_then(|query| query.into_inner().next);
    or_start(web, next.unwrap_or_default())
}

/// Returns a page of this origin, or else the start page.
pub(super) fn or_start(web: &Web, next: String) -> String {
    if is_own(&next) { next } else { frame::start(web) }
}

/// Returns whether a reference is an absolute path of this origin. Browsers read a backslash like a slash, and leave out
/// control characters.
fn is_own(next: &str) -> bool {
    next.starts_with('/')
        && !next.starts_with("//")
        && next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn only_paths_of_this_origin_are_followed() {
        for next in ["/", "/s/1/a?b=c#d", "/~/account", "/%2F%2Fevil.example", "/a//b"] {
            assert!(is_own(next), "{next}");
        }
        for next in [
            "",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            " //evil.example",
            "/ü",
        ] {
            assert!(!is_own(next), "{next}");
        }
    }
}
