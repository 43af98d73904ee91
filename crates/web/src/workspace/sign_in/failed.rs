//! `/~/sign-in/failed`: error page of a failed sign-in with a provider.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::html;
use quire_domain::sign_in::SignInProblem;
use serde::Deserialize;

use super::frame;
use crate::errors;
use crate::state::WebData;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Failed {
    problem: String,
    provider: String,
}

/// `GET /~/sign-in/failed?problem=…&provider=…`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    let query = web::Query::<Failed>::from_query(request.query_string());
    let Failed { problem, provider } = query.map(web::Query::into_inner).unwrap_or_default();
    let Some(problem) = SignInProblem::from_code(&problem) else { return errors::not_found() };
    let content = html! {
        p.alert role="alert" { (problem.sentence()) }
        @if problem.is_helped_by_connecting() {
            p { "Sign in another way, then connect the provider in your account." }
        }
        p { a.button.primary href=(frame::at(&web, "/~/sign-in")) { "Back to sign in" } }
        p.hint { "Tell your administrator if this happens again. Problem: " code { (problem.as_str()) } @if is_id(&provider) { ", provider: " code { (provider) } } "." }
    };
    frame::page(&web, HttpResponse::BadRequest().finish(), "You are not signed in", &content)
}

/// Returns whether a text has the form of a provider's id. Other texts are not displayed.
fn is_id(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}
