//! Unsigned claims of a visitor from the address and from cookies. Anyone can forge them.

use actix_web::HttpRequest;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use quire_domain::bounds::VISITOR_TEXT_MAX;
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::cookies::{cookie, cookies};

/// Name prefix of cookies with claims from other services on a domain that they share with the site.
const FOREIGN_COOKIES: &str = "gitbook-visitor-public";
/// Cookie with claims from earlier addresses.
const COOKIE: &str = "quire-visitor-claims";
/// Name prefix of query parameters with claims.
const PREFIX: &str = "visitor.";
/// Maximum number of parameters that are read.
const MOST_PARAMETERS: usize = 50;
/// Maximum depth of a parameter's name.
const MOST_LEVELS: usize = 8;

/// Unsigned claims of a request.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Unsigned {
    /// Claims. Those in the address override those in the site's cookie, which override those of other services.
    pub(super) claims: Map<String, Value>,
    /// Claims to store in the site's cookie, if the address has any.
    kept: Option<Map<String, Value>>,
}

impl Unsigned {
    /// Reads the claims of a request. Ignores malformed and oversized ones.
    pub(super) fn of(request: &HttpRequest) -> Self {
        let foreign = cookies(request).filter(|(name, _)| name.starts_with(FOREIGN_COOKIES));
        let mut claims: Map<String, Value> = foreign.flat_map(|(_, value)| object(value)).collect();
        let mut own = cookie(request, COOKIE).map(|value| object(&value)).unwrap_or_default();
        let has_parameters = add_parameters(&mut own, request.query_string());
        claims.extend(own.clone());
        if !is_bounded(&claims) {
            return Self::default();
        }
        Self { claims, kept: has_parameters.then_some(own) }
    }

    /// Returns a session cookie with the claims for later requests.
    pub(super) fn set_cookie(&self, path: &str, is_https: bool) -> Option<String> {
        let text = Value::Object(self.kept.clone()?).to_string();
        let value = utf8_percent_encode(&text, NON_ALPHANUMERIC);
        let secure = if is_https { "; Secure" } else { "" };
        let path = if path.is_empty() { "/" } else { path };
        Some(format!("{COOKIE}={value}; Path={path}; HttpOnly; SameSite=Lax{secure}"))
    }
}

/// Adds claims from parameters such as `visitor.account.plan=pro`. Returns whether there were any.
fn add_parameters(claims: &mut Map<String, Value>, query: &str) -> bool {
    let parameters = form_urlencoded::parse(query.as_bytes());
    let parameters =
        parameters.filter_map(|(name, text)| Some((name.strip_prefix(PREFIX)?.to_owned(), text)));
    let mut has_some = false;
    for (name, text) in parameters.take(MOST_PARAMETERS) {
        has_some = true;
        let keys: Vec<&str> = name.split('.').collect();
        if keys.len() <= MOST_LEVELS && keys.iter().all(|key| !key.is_empty()) {
            put(claims, &keys, value(&text));
        }
    }
    has_some
}

/// Sets the claim at a path. `None` removes it.
fn put(claims: &mut Map<String, Value>, keys: &[&str], value: Option<Value>) {
    let Some((key, rest)) = keys.split_first() else { return };
    if rest.is_empty() {
        match value {
            Some(value) => claims.insert((*key).to_owned(), value),
            None => claims.remove(*key),
        };
        return;
    }
    let inner = claims.entry(*key).or_insert_with(|| Value::Object(Map::new()));
    if !inner.is_object() {
        *inner = Value::Object(Map::new());
    }
    if let Value::Object(inner) = inner {
        put(inner, rest, value);
    }
}

/// Returns the value of a parameter: a boolean, null, number, object or array if it parses as one, and otherwise a
/// string. Returns `None` for `undefined`.
fn value(text: &str) -> Option<Value> {
    match text {
        "undefined" => None,
        _ => match serde_json::from_str(text) {
            Ok(Value::String(_)) | Err(_) => Some(Value::String(text.to_owned())),
            Ok(value) => Some(value),
        },
    }
}

fn object(text: &str) -> Map<String, Value> {
    let text = percent_decode_str(text).decode_utf8_lossy();
    serde_json::from_str(&text).unwrap_or_default()
}

fn is_bounded(claims: &Map<String, Value>) -> bool {
    let length = serde_json::to_string(claims).map_or(usize::MAX, |text| text.len());
    u64::try_from(length).is_ok_and(|length| length <= VISITOR_TEXT_MAX)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header;
    use actix_web::test::TestRequest;
    use serde_json::json;

    use super::*;

    fn read(query: &str, cookies: &str) -> Unsigned {
        let request = TestRequest::with_uri(&format!("/docs?{query}"));
        Unsigned::of(&request.insert_header((header::COOKIE, cookies)).to_http_request())
    }

    #[test]
    fn parameters_are_claims_of_their_types() {
        let query = "visitor.beta=true&visitor.seats=3&visitor.a.b=x+y&visitor.a.c=null&visitor.list=%5B1%5D\
                     &visitor.gone=undefined&other=1&visitor.=1&visitor.a..b=1&visitor.text=%22q%22";
        let claims =
            json!({"beta": true, "seats": 3, "a": {"b": "x y", "c": null}, "list": [1], "text": "\"q\""});
        assert_eq!(Value::Object(read(query, "").claims), claims);
    }

    #[test]
    fn the_address_precedes_cookies() {
        let cookies = "gitbook-visitor-public=%7B%22a%22%3A1%2C%22b%22%3A1%7D; gitbook-visitor-public-x={\"c\":1}; \
                       quire-visitor-claims={\"b\":2,\"d\":2}; gitbook-visitor-public-bad={";
        let found = read("visitor.d=3", cookies);
        assert_eq!(Value::Object(found.claims.clone()), json!({"a": 1, "b": 2, "c": 1, "d": 3}));
        let kept = found.set_cookie("/docs", true).unwrap();
        assert!(kept.ends_with("; Path=/docs; HttpOnly; SameSite=Lax; Secure"), "{kept}");
        let again = read("", kept.split(';').next().unwrap());
        assert_eq!(Value::Object(again.claims.clone()), json!({"b": 2, "d": 3}));
        assert_eq!(again.set_cookie("", false), None);
    }

    #[test]
    fn too_much_is_ignored() {
        let long = "x".repeat(5_000);
        assert_eq!(read(&format!("visitor.a={long}"), ""), Unsigned::default());
        assert_eq!(read("", &format!("gitbook-visitor-public={{\"a\":\"{long}\"}}")), Unsigned::default());
        let deep = "a.".repeat(8) + "a";
        assert_eq!(read(&format!("visitor.{deep}=1"), "").claims, Map::new());
        let many: String = (0..60).map(|n| format!("visitor.a{n}=1&")).collect();
        assert_eq!(read(&many, "").claims.len(), MOST_PARAMETERS);
    }
}
