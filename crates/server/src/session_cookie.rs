//! Session cookie.

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounds::SESSION_LIFE;
use quire_storage::lookup::Credentials;

use crate::state::State;

/// Cookie name over HTTPS. Browsers accept it only from this host over HTTPS, and for all paths (RFC 6265bis, 4.1.3.2).
const SECURE_NAME: &str = "__Host-quire";
/// Cookie name over HTTP.
const NAME: &str = "quire";

/// Returns the `Set-Cookie` value for a new session. The cookie lasts as long as the longest session; the server
/// decides when the session ends.
#[must_use]
pub fn start(base_url: &str, secret: &str) -> String {
    with_value(base_url, secret, SESSION_LIFE.whole_seconds())
}

/// Returns the `Set-Cookie` value that removes the cookie.
#[must_use]
pub fn remove(base_url: &str) -> String {
    with_value(base_url, "", 0)
}

/// Adds `Set-Cookie` to a response.
pub fn add(response: &mut HttpResponse, cookie: &str) {
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

/// Returns the credentials in the session cookie, if they are well-formed.
#[must_use]
pub fn credentials(request: &HttpRequest) -> Option<Credentials> {
    let name = name(&request.app_data::<State>()?.settings.base_url);
    let values = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
    let pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(found, _)| *found == name).find_map(|(_, secret)| Credentials::from_session(secret))
}

fn with_value(base_url: &str, value: &str, seconds: i64) -> String {
    let secure = if is_https(base_url) { "; Secure" } else { "" };
    let name = name(base_url);
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

fn name(base_url: &str) -> &'static str {
    if is_https(base_url) { SECURE_NAME } else { NAME }
}

fn is_https(base_url: &str) -> bool {
    base_url.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_for_this_host_and_not_for_scripts() {
        assert_eq!(
            start("https://docs.example.com/quire", "qs_a"),
            "__Host-quire=qs_a; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(remove("http://localhost:8080"), "quire=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    }
}
