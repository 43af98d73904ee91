//! Providers that sign people in: those of an e-mail address, and the page about a failure.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::html;
use quire_domain::sign_in::SignInProblem;
use quire_domain::texts::kinds;
use quire_server::ApiResult;
use quire_storage::lookup::Credentials;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::password::{self, SignIn};
use super::{frame, offered};
use crate::errors;
use crate::state::{Web, WebData};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Failed {
    problem: String,
    provider: String,
}

/// `POST /~/sign-in/providers`: the providers of an e-mail address. They follow from its domain, so that the page does
/// not reveal which addresses have an account.
pub(super) async fn show(web: WebData, Form(form): Form<SignIn>) -> HttpResponse {
    let form = form.with_own_next(&web);
    let mut problems = Problems::default();
    let email = problems.read::<kinds::Email>("email", form.email.trim());
    if let Err(problems) = problems.none() {
        return password::page(&web, &form, &problems).await;
    }
    let domain = email.rsplit('@').next().unwrap_or_default().to_owned();
    let found: ApiResult<_> = web
        .state
        .read(Credentials::ANONYMOUS, move |reader| Ok(reader.sign_in_providers(Some(&domain))?))
        .await;
    let providers = match found {
        Ok(providers) => providers,
        Err(error) => return errors::failed(&error),
    };
    let content = html! {
        @if providers.is_empty() {
            p.lead { "No organization here has single sign-on for " strong { (email) } "." }
        } @else {
            p.lead { "Ways for " strong { (email) } ":" }
            (offered::links(&web, &providers, &form.next))
        }
        p.hint { a href=(back(&web, &form.next)) { "Back to sign in" } }
    };
    frame::page(&web, HttpResponse::Ok().finish(), "Single sign-on", &content)
}

/// `GET /~/sign-in/failed?problem=…&provider=…`
pub(super) async fn failed(request: HttpRequest, web: WebData) -> HttpResponse {
    let query = web::Query::<Failed>::from_query(request.query_string());
    let Failed { problem, provider } = query.map(web::Query::into_inner).unwrap_or_default();
    let Some(problem) = SignInProblem::from_code(&problem) else { return errors::not_found() };
    let content = html! {
        p.alert role="alert" { (problem.sentence()) }
        @if problem.is_helped_by_connecting() {
            p { "Sign in in another way, and connect the provider in your account." }
        }
        p { a.button.primary href=(frame::at(&web, "/~/sign-in")) { "Back to sign in" } }
        p.hint { "Tell your administrator if this happens again. Problem: " code { (problem.as_str()) } @if is_id(&provider) { ", provider: " code { (provider) } } "." }
    };
    frame::page(&web, HttpResponse::BadRequest().finish(), "You are not signed in", &content)
}

/// Returns whether a text looks like the id of a provider. Others are not shown.
fn is_id(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn back(web: &Web, next: &str) -> String {
    format!("{}?next={}", frame::at(web, "/~/sign-in"), offered::encoded(next))
}
