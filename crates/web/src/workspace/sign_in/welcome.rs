//! `/~/welcome/{secret}`: setup of the first organization of a deployment with its administrator.

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_domain::texts::kinds;
use quire_markup::slugify;
use quire_server::{ApiError, ServerState, own_user, sign_in};
use quire_storage::lookup::Credentials;
use quire_storage::people::first_run::FirstRun;
use quire_storage::people::user_sessions::StartedSession;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, Field};
use crate::errors;
use crate::state::{Web, WebData};

/// Purpose of the signature in the link.
const PURPOSE: &str = "first organization";

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Welcome {
    organization: String,
    name: String,
    email: String,
    password: String,
}

/// Returns the link to the page. It is derived from a key of the deployment, so it is the same on each start and each
/// node.
#[must_use]
pub fn url(state: &ServerState) -> String {
    state.urls.app(format_args!("~/welcome/{}", state.signer.sign(PURPOSE)))
}

/// `GET /~/welcome/{secret}`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    match check(&request, &web).await {
        Ok(()) => page(&web, &request, &Welcome::default(), &Problems::default()),
        Err(response) => response,
    }
}

/// `POST /~/welcome/{secret}`
pub(super) async fn submit(request: HttpRequest, web: WebData, Form(form): Form<Welcome>) -> HttpResponse {
    if let Err(response) = check(&request, &web).await {
        return response;
    }
    match found(&request, &web, &form).await {
        Ok(Some(session)) => frame::signed_in(&web, &session, &frame::start(&web)),
        Ok(None) => used(),
        Err(problems) => page(&web, &request, &form, &problems),
    }
}

/// Refuses an invalid link, and every link once an organization exists.
async fn check(request: &HttpRequest, web: &Web) -> Result<(), HttpResponse> {
    let secret = request.match_info().get("secret").unwrap_or_default();
    if !web.state.signer.verify(PURPOSE, secret) {
        return Err(errors::not_found());
    }
    match web.state.read(Credentials::ANONYMOUS, |reader| Ok(reader.is_fresh()?)).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(used()),
        Err(error) => Err(errors::failed(&error)),
    }
}

fn used() -> HttpResponse {
    errors::gone(
        "This server is set up",
        "The link works once. Sign in, or ask an administrator for an invitation.",
    )
}

async fn found(request: &HttpRequest, web: &Web, form: &Welcome) -> Result<Option<StartedSession>, Problems> {
    let mut problems = Problems::default();
    let organization = problems.read::<kinds::OrganizationTitle>("organization", form.organization.trim());
    let display_name = problems.read::<kinds::DisplayName>("name", form.name.trim());
    let email = problems.read::<kinds::Email>("email", form.email.trim());
    let password = problems.read::<kinds::NewPassword>("password", &form.password);
    problems.none()?;
    let words = [organization.as_str(), display_name.as_str(), email.as_str()];
    Problems::check(own_user::check_strength("password", &password, &words))?;
    let password_hash = Problems::check(web.state.hash_password(password).await)?;
    let slug = slugify(&organization);
    let first = FirstRun { organization, slug, email, display_name, password_hash };
    let browser = sign_in::browser(request);
    let found = web.state.transact(Credentials::ANONYMOUS, move |tx| {
        Ok::<_, ApiError>(tx.found_deployment(&first, &browser)?)
    });
    Problems::check(found.await)
}

fn page(web: &Web, request: &HttpRequest, form: &Welcome, problems: &Problems) -> HttpResponse {
    let field = |name, label, kind, autocomplete, value, hint| {
        Field { name, label, kind, autocomplete, value, hint }.markup(problems)
    };
    let strength = Some("At least 10 characters. Several unrelated words are a good choice.");
    let content = html! {
        p.lead { "Quire is running. Name your organization and make yourself its administrator." }
        form method="post" action=(request.path()) {
            (frame::alert(problems))
            (field("organization", "Organization", "text", "organization", &form.organization, None))
            (field("name", "Your name", "text", "name", &form.name, None))
            (field("email", "E-mail address", "email", "username", &form.email, None))
            (field("password", "Password", "password", "new-password", "", strength))
            button.primary { "Create organization" }
        }
    };
    frame::page(web, problems.response(), "Welcome to Quire", &content)
}
