//! Page to which a browser is redirected after the sign-in.

use actix_web::{HttpRequest, web};
use quire_server::own_path::is_own;
use serde::Deserialize;

use super::frame;
use crate::state::Web;

#[derive(Deserialize)]
struct Query {
    next: Option<String>,
}

/// Returns the page in the query of a request.
pub(super) fn of_query(web: &Web, request: &HttpRequest) -> String {
    let query = web::Query::<Query>::from_query(request.query_string());
    let next = query.ok().and_then(|query| query.into_inner().next);
    or_start(web, next.unwrap_or_default())
}

/// Returns the page if it is on this origin, and otherwise the start page.
pub(super) fn or_start(web: &Web, next: String) -> String {
    if is_own(&next) { next } else { frame::start(web) }
}
