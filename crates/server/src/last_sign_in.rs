//! Cookie with the last sign-in method of a browser. The sign-in page offers this method first.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};

use crate::session_cookie;
use crate::state::ServerState;

/// Password. A provider is represented by its id.
pub const PASSWORD: &str = "password";
/// Sign-in link by mail.
pub const LINK: &str = "link";
/// Passkey.
pub const PASSKEY: &str = "passkey";

/// Name of the cookie.
const NAME: &str = "quire-way";
/// Name of the cookie over HTTPS.
const SECURE_NAME: &str = "__Host-quire-way";
/// Lifetime of the cookie: one year.
const SECONDS: u32 = 365 * 24 * 60 * 60;

/// Adds the cookie to the response of a sign-in.
pub fn remember(state: &ServerState, response: &mut HttpResponse, method: &str) {
    let secure = if is_https(state) { "; Secure" } else { "" };
    let name = name(state);
    session_cookie::add(
        response,
        &format!("{name}={method}; Path=/; Max-Age={SECONDS}; HttpOnly; SameSite=Lax{secure}"),
    );
}

/// Returns the sign-in method in the cookie of a request.
#[must_use]
pub fn of_request(state: &ServerState, request: &HttpRequest) -> Option<String> {
    let name = name(state);
    let values = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
    let mut pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, method)| method.to_owned())
}

fn name(state: &ServerState) -> &'static str {
    if is_https(state) { SECURE_NAME } else { NAME }
}

fn is_https(state: &ServerState) -> bool {
    state.settings.base_url.starts_with("https://")
}
