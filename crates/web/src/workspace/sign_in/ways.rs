//! `/~/sign-in`: a field for the e-mail address, then the ways to sign in for its domain. The way that the browser used
//! last comes first. The ways depend only on the domain, so the page does not reveal which addresses have an account.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::texts::kinds;
use quire_server::extract::credentials;
use quire_server::last_sign_in;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, Field};
use super::offered::{self, Offered};
use super::{next, passkeys};
use crate::state::{Web, WebData};

/// Form of both steps.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SignIn {
    pub(super) email: String,
    pub(super) password: String,
    pub(super) next: String,
}

impl SignIn {
    /// Returns the form with the next page restricted to this origin.
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
        return frame::see_other(&next);
    }
    page(&request, &web, &SignIn { next, ..SignIn::default() }, &Problems::default()).await
}

/// `POST /~/sign-in/ways`: ways for an e-mail address.
pub(super) async fn choose(request: HttpRequest, web: WebData, Form(form): Form<SignIn>) -> HttpResponse {
    let form = form.with_own_next(&web);
    let mut problems = Problems::default();
    problems.read::<kinds::Email>("email", form.email.trim());
    page(&request, &web, &form, &problems).await
}

/// Writes the field for the address, or the ways for a valid address.
pub(super) async fn page(
    request: &HttpRequest,
    web: &Web,
    form: &SignIn,
    problems: &Problems,
) -> HttpResponse {
    let last = last_sign_in::of_request(&web.state, request).unwrap_or_default();
    let email = form.email.trim();
    if email.is_empty() || problems.of_field("email").is_some() {
        let offered = Offered::load(web, None).await;
        let content = address(web, &offered, form, problems, &last);
        return frame::page_with_passkeys(web, problems.response(), "Sign in", &content);
    }
    let offered = Offered::load(web, email.rsplit('@').next()).await;
    frame::page(web, problems.response(), "Sign in", &of_address(web, &offered, form, problems, &last))
}

/// Writes the first step.
fn address(web: &Web, offered: &Offered, form: &SignIn, problems: &Problems, last: &str) -> Markup {
    let email = Field {
        name: "email",
        label: "E-mail address",
        kind: "email",
        autocomplete: "username",
        value: &form.email,
        hint: None,
    };
    let (first, others) = offered.split(last);
    let starts_with_passkey = last == last_sign_in::PASSKEY && web.state.offers_passkeys();
    html! {
        @if starts_with_passkey { (passkeys::sign_in_button(web, &form.next)) }
        @if let Some(first) = first { (offered::link(web, first, &form.next, "primary")) }
        form method="post" action=(frame::at(web, "/~/sign-in/ways")) {
            (frame::alert(problems))
            (email.markup(problems))
            input type="hidden" name="next" value=(form.next);
            button class=(rank(first.is_none())) { "Continue" }
        }
        @if !starts_with_passkey { (passkeys::sign_in_button(web, &form.next)) }
        @for provider in others { (offered::link(web, provider, &form.next, "secondary")) }
    }
}

/// Way to sign in.
#[derive(Clone, Copy)]
enum SignInMethod {
    /// Provider with this index.
    Provider(usize),
    Password,
    Link,
}

/// Writes the second step.
fn of_address(web: &Web, offered: &Offered, form: &SignIn, problems: &Problems, last: &str) -> Markup {
    let mail = web.state.settings.mail;
    let providers = (0..offered.providers.len()).map(SignInMethod::Provider);
    let mut ways: Vec<SignInMethod> =
        providers.chain([SignInMethod::Password]).chain(mail.then_some(SignInMethod::Link)).collect();
    ways.sort_by_key(|way| match way {
        SignInMethod::Provider(index) => {
            offered.providers.get(*index).is_none_or(|it| it.id.to_string() != last)
        }
        SignInMethod::Password => last != last_sign_in::PASSWORD,
        SignInMethod::Link => last != last_sign_in::LINK,
    });
    let again = format!("{}?next={}", frame::at(web, "/~/sign-in"), offered::encoded(&form.next));
    html! {
        p.lead { strong { (form.email.trim()) } " · " a href=(again) { "Use another address" } }
        (frame::alert(problems))
        @for (index, way) in ways.iter().enumerate() {
            @match way {
                SignInMethod::Provider(position) => {
                    @if let Some(provider) = offered.providers.get(*position) {
                        (offered::link(web, provider, &form.next, rank(index == 0)))
                    }
                }
                SignInMethod::Password => (password(web, form, problems, index == 0)),
                SignInMethod::Link => {
                    form method="post" action=(frame::at(web, "/~/sign-in/link")) {
                        (carried(form))
                        button class=(rank(index == 0)) { "E-mail me a link" }
                    }
                }
            }
        }
        @if mail {
            p.hint { a href=(frame::at(web, "/~/reset")) { "Forgot your password?" } }
        } @else {
            p.hint { "No password, or a forgotten one? Ask the operator of this server for a sign-in link." }
        }
    }
}

fn password(web: &Web, form: &SignIn, problems: &Problems, is_first: bool) -> Markup {
    let password = Field {
        name: "password",
        label: "Password",
        kind: "password",
        autocomplete: "current-password",
        value: "",
        hint: None,
    };
    html! {
        form method="post" action=(frame::at(web, "/~/sign-in")) {
            (carried(form))
            @if is_first { (password.focused_markup(problems)) } @else { (password.markup(problems)) }
            button class=(rank(is_first)) { "Sign in" }
        }
    }
}

/// Writes hidden fields with the input of the first step.
fn carried(form: &SignIn) -> Markup {
    html! {
        input type="hidden" name="email" value=(form.email.trim()) autocomplete="username";
        input type="hidden" name="next" value=(form.next);
    }
}

/// Returns the class of a button.
const fn rank(is_first: bool) -> &'static str {
    if is_first { "primary" } else { "secondary" }
}
