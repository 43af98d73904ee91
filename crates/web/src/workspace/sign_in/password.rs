//! `/~/sign-in`: the ways to sign in, with the form of the password.

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_domain::texts::kinds;
use quire_server::extract::credentials;
use quire_server::sign_in;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, Field};
use super::offered::Offered;
use super::{code, next, passkeys};
use crate::state::{Web, WebData};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SignIn {
    pub(super) email: String,
    password: String,
    pub(super) next: String,
}

impl SignIn {
    /// Returns the form with a page of this origin as the next one.
    pub(super) fn with_own_next(self, web: &Web) -> Self {
        Self { next: next::or_start(web, self.next), ..self }
    }
}

/// `GET /~/sign-in?next=…`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    let next = next::of_query(&web, &request);
    if let Some(caller) = credentials(&request)
        && web.state.read(caller, |reader| Ok(reader.own_user()?)).await.is_ok()
    {
        return frame::see(&next);
    }
    page(&web, &SignIn { next, ..SignIn::default() }, &Problems::default()).await
}

/// `POST /~/sign-in`
pub(super) async fn submit(request: HttpRequest, web: WebData, Form(form): Form<SignIn>) -> HttpResponse {
    let form = form.with_own_next(&web);
    match sign_in(&request, &web, &form).await {
        Ok(response) => response,
        Err(problems) => page(&web, &form, &problems).await,
    }
}

async fn sign_in(request: &HttpRequest, web: &Web, form: &SignIn) -> Result<HttpResponse, Problems> {
    let mut problems = Problems::default();
    let email = problems.read::<kinds::Email>("email", form.email.trim());
    let password = problems.read::<kinds::Password>("password", &form.password);
    problems.none()?;
    let factor = Problems::check(sign_in::with_password(&web.state, request, email, password).await)?;
    Ok(code::after(web, factor, &form.next))
}

pub(super) async fn page(web: &Web, form: &SignIn, problems: &Problems) -> HttpResponse {
    let offered = Offered::load(web).await;
    let email = Field {
        name: "email",
        label: "E-mail address",
        kind: "email",
        autocomplete: "username",
        value: &form.email,
        hint: None,
    };
    let password = Field {
        name: "password",
        label: "Password",
        kind: "password",
        autocomplete: "current-password",
        value: "",
        hint: None,
    };
    let content = html! {
        form method="post" action=(frame::at(web, "/~/sign-in")) {
            (frame::alert(problems))
            (email.markup(problems))
            (password.markup(problems))
            input type="hidden" name="next" value=(form.next);
            button.primary { "Sign in" }
            @if web.state.settings.mail {
                button.secondary formaction=(frame::at(web, "/~/sign-in/link")) formnovalidate {
                    "E-mail me a link"
                }
            }
            @if offered.has_others {
                button.secondary formaction=(frame::at(web, "/~/sign-in/providers")) formnovalidate {
                    "Single sign-on"
                }
            }
        }
        (passkeys::sign_in_button(web, &form.next))
        (offered.links(web, &form.next))
        @if web.state.settings.mail {
            p.hint { a href=(frame::at(web, "/~/reset")) { "Forgot your password?" } }
        } @else {
            p.hint { "No password, or a forgotten one? Ask the operator of this server for a sign-in link." }
        }
    };
    frame::page_with_passkeys(web, problems.response(), "Sign in", &content)
}
