//! `/~/confirm`: confirmation of a signed-in user's identity, which some actions require.

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_server::extract::credentials;
use quire_server::{ApiError, second_factor};
use quire_storage::lookup::Credentials;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, Field};
use super::{next, offered, passkeys};
use crate::errors;
use crate::state::{Web, WebData};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Proof {
    password: Option<String>,
    code: Option<String>,
    next: String,
}

/// Redirects to the confirmation page, which then redirects to `next`.
pub(super) fn ask(web: &Web, next: &str) -> HttpResponse {
    frame::see_other(&format!("{}?next={}", frame::at(web, "/~/confirm"), offered::encoded(next)))
}

/// `GET /~/confirm?next=…`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    let next = next::of_query(&web, &request);
    page(&request, &web, &next, &Problems::default()).await
}

/// `POST /~/confirm`
pub(super) async fn submit(request: HttpRequest, web: WebData, Form(form): Form<Proof>) -> HttpResponse {
    let next = next::or_start(&web, form.next);
    let Some(caller) = credentials(&request) else { return sign_in(&web, &next) };
    // The form has only one of the two fields. The other is empty.
    let proven = second_factor::confirm(&web.state, &request, caller, form.password, form.code).await;
    match Problems::check(proven) {
        Ok(()) => frame::see_other(&next),
        Err(problems) => page(&request, &web, &next, &problems).await,
    }
}

/// Ways in which the user can confirm the identity.
struct ConfirmationMethods {
    has_code: bool,
    has_password: bool,
    has_passkey: bool,
}

async fn ways(web: &Web, caller: Credentials) -> Result<ConfirmationMethods, ApiError> {
    let find = |reader: &mut quire_storage::Reader<'_>| {
        let account = reader.own_account()?;
        let factor = reader.second_factor(account.actor.user)?;
        let has_code = factor.is_some_and(|factor| factor.confirmed_at.is_some());
        let has_passkey = !reader.own_credentials(account.actor)?.is_empty();
        Ok(ConfirmationMethods { has_code, has_password: account.password_hash.is_some(), has_passkey })
    };
    web.state.read(caller, find).await
}

async fn page(request: &HttpRequest, web: &Web, next: &str, problems: &Problems) -> HttpResponse {
    let Some(caller) = credentials(request) else { return sign_in(web, next) };
    let ways = match ways(web, caller).await {
        Ok(ways) => ways,
        Err(error) if error.reason().status() == 401 => return sign_in(web, next),
        Err(error) => return errors::failed(&error),
    };
    let field = match (ways.has_code, ways.has_password) {
        (true, _) => Some(Field {
            name: "code",
            label: "Code",
            kind: "text",
            autocomplete: "one-time-code",
            value: "",
            hint: Some("The six digits that your app shows, or one of your recovery codes."),
        }),
        (false, true) => Some(Field {
            name: "password",
            label: "Password",
            kind: "password",
            autocomplete: "current-password",
            value: "",
            hint: None,
        }),
        (false, false) => None,
    };
    let content = html! {
        p.lead { "The next step changes your account or organization. Confirm your identity first." }
        @if let Some(field) = field {
            form method="post" action=(frame::at(web, "/~/confirm")) {
                (frame::alert(problems))
                (field.markup(problems))
                input type="hidden" name="next" value=(next);
                button.primary { "Continue" }
            }
        } @else {
            form method="post" action=(frame::at(web, "/~/account/sign-out")) {
                p { "You have no password. Sign out, and sign in again." }
                button.primary { "Sign out" }
            }
        }
        @if ways.has_passkey { (passkeys::sign_in_button(web, next)) }
    };
    frame::page_of_account(web, problems.response(), "Confirm it is you", &content)
}

fn sign_in(web: &Web, next: &str) -> HttpResponse {
    frame::see_other(&format!("{}?next={}", frame::at(web, "/~/sign-in"), offered::encoded(next)))
}
