//! Signing in with OpenID Connect.
//!
//! A browser visits the provider between two requests. What is needed of the first is in a signed cookie of ten
//! minutes.

pub mod callback;
mod client;
pub mod providers;
pub mod start;
mod visit;

use actix_web::HttpResponse;
use actix_web::http::header;
use quire_domain::ids::OidcProviderId;
use quire_domain::sign_in::OidcProblem;

use crate::state::State;

/// Redirects a browser.
fn see(url: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, url))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .finish()
}

/// Redirects a browser to the page that says what failed.
fn failed(state: &State, provider: OidcProviderId, problem: OidcProblem) -> HttpResponse {
    let path = format!("~/sign-in/failed?problem={}&provider={provider}", problem.as_str());
    see(&state.urls.app(path))
}
