//! Authenticator app of the user: setup in two steps, and removal.

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_domain::error::Reason;
use quire_domain::texts::kinds;
use quire_server::extract::credentials;
use quire_server::second_factor::{self, StartedTotp};
use quire_server::{ApiError, ApiResult};
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, Field};
use super::{confirm as proof, offered};
use crate::errors;
use crate::state::{Web, WebData};

/// Form without fields.
#[derive(Deserialize)]
pub(super) struct Confirmation {}

/// First code of an app. If the code is wrong, the page shows the secret again.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FirstCode {
    code: String,
    secret: String,
    url: String,
}

/// `POST /~/account/totp`
pub(super) async fn start(
    request: HttpRequest,
    web: WebData,
    Form(Confirmation {}): Form<Confirmation>,
) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return sign_in(&web) };
    match second_factor::start(&web.state, caller).await {
        Ok(StartedTotp { text, url }) => {
            page(&web, &FirstCode { secret: text, url, ..FirstCode::default() }, &Problems::default())
        }
        Err(error) => refused(&web, &error),
    }
}

/// `POST /~/account/totp/confirm`
pub(super) async fn confirm(request: HttpRequest, web: WebData, Form(form): Form<FirstCode>) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return sign_in(&web) };
    let mut problems = Problems::default();
    let code = problems.read::<kinds::FactorCode>("code", form.code.trim());
    if let Err(problems) = problems.none() {
        return page(&web, &form, &problems);
    }
    match second_factor::enable(&web.state, &request, caller, &code).await {
        Ok(codes) => codes_page(&web, &codes),
        Err(error) if error.reason() == Reason::ConfirmationRequired => refused(&web, &error),
        Err(error) => page(&web, &form, &Problems::with(error)),
    }
}

/// `POST /~/account/totp/remove`
pub(super) async fn remove(
    request: HttpRequest,
    web: WebData,
    Form(Confirmation {}): Form<Confirmation>,
) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return sign_in(&web) };
    let removed: ApiResult<()> = second_factor::remove(&web.state, caller).await;
    match removed {
        Ok(()) => frame::see_other(&account(&web)),
        Err(error) if error.reason() == Reason::NotFound => frame::see_other(&account(&web)),
        Err(error) => refused(&web, &error),
    }
}

fn refused(web: &Web, error: &ApiError) -> HttpResponse {
    match error.reason() {
        Reason::ConfirmationRequired => proof::ask(web, &account(web)),
        Reason::Unauthenticated => sign_in(web),
        _ => errors::failed(error),
    }
}

fn account(web: &Web) -> String {
    frame::at(web, "/~/account")
}

fn sign_in(web: &Web) -> HttpResponse {
    frame::see_other(&format!("{}?next={}", frame::at(web, "/~/sign-in"), offered::encoded(&account(web))))
}

fn page(web: &Web, form: &FirstCode, problems: &Problems) -> HttpResponse {
    let code = Field {
        name: "code",
        label: "Code",
        kind: "text",
        autocomplete: "one-time-code",
        value: "",
        hint: Some("The six digits that the app shows for Quire."),
    };
    let content = html! {
        p.lead { "Add an account to your authenticator app with this key, then enter the code that it shows." }
        p { code { (form.secret) } }
        @if form.url.starts_with("otpauth://totp/") { p { a href=(form.url) { "Open in an app on this device" } } }
        form method="post" action=(frame::at(web, "/~/account/totp/confirm")) {
            (frame::alert(problems))
            (code.markup(problems))
            input type="hidden" name="secret" value=(form.secret);
            input type="hidden" name="url" value=(form.url);
            button.primary { "Turn on" }
        }
        p.hint { a href=(account(web)) { "Cancel" } }
    };
    frame::page_of_account(web, problems.response(), "Set up an app", &content)
}

fn codes_page(web: &Web, codes: &[String]) -> HttpResponse {
    let content = html! {
        div.notice role="status" { p { "Sign-ins now ask for a code of your app." } }
        p.lead { "Keep these recovery codes where you can find them without your phone. Each works once, and they are not shown again." }
        ul aria-label="Recovery codes" { @for code in codes { li { code { (code) } } } }
        p { a.button.primary href=(account(web)) { "Done" } }
    };
    frame::page_of_account(web, HttpResponse::Ok().finish(), "Recovery codes", &content)
}
