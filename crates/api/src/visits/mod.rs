//! Visits of browsers to identity providers, between the request that starts a sign-in and the one that ends it.

mod person;
mod session;
mod visit;

use std::fmt::Display;

use actix_web::HttpResponse;
use actix_web::http::header;
use quire_domain::sign_in::SignInProblem;

use crate::error::ApiResult;
use crate::state::State;
use crate::urls::base_path;

pub(crate) use person::person;
pub(crate) use session::session_for;
pub(crate) use visit::{Protocol, Visit};

/// Redirects a browser.
pub(crate) fn see(url: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, url))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .finish()
}

/// Redirects a browser to the page that says what failed.
pub(crate) fn failed(state: &State, provider: impl Display, problem: SignInProblem) -> HttpResponse {
    let path = format!("~/sign-in/failed?problem={}&provider={provider}", problem.as_str());
    see(&state.urls.app(path))
}

/// Returns the page that follows a sign-in: the one that was asked for, or the first.
pub(crate) fn next(state: &State, path: &str) -> String {
    match path {
        "" => format!("{}/", base_path(state.urls.base())),
        path => path.to_owned(),
    }
}

/// Converts the refusal of a session to a problem.
pub(crate) fn of_session(
    result: ApiResult<Result<(), SignInProblem>>,
) -> ApiResult<Result<(), SignInProblem>> {
    match result {
        Err(error) if error.reason().status() < 500 => Ok(Err(SignInProblem::Session)),
        result => result,
    }
}
