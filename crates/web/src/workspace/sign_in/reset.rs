//! `/~/reset`: new password through a mailed link, for users who forgot theirs.

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_domain::texts::kinds;
use quire_server::{last_sign_in, own_user, sign_in};
use quire_storage::Tx;
use quire_storage::people::mails::LinkPurpose;
use quire_storage::people::second_factors::FirstFactor;
use quire_storage::people::sign_in_links::SignInLink;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, Field};
use super::{code, link};
use crate::errors;
use crate::state::{Web, WebData};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Request {
    email: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Reset {
    password: String,
}

/// `GET /~/reset`
pub(super) async fn ask(web: WebData) -> HttpResponse {
    match web.state.settings.mail {
        true => request_page(&web, &Request::default(), &Problems::default()),
        false => errors::not_found(),
    }
}

/// `POST /~/reset`
pub(super) async fn mail(request: HttpRequest, web: WebData, Form(form): Form<Request>) -> HttpResponse {
    if !web.state.settings.mail {
        return errors::not_found();
    }
    match link::send(&request, &web, LinkPurpose::PasswordReset, &form.email).await {
        Ok(()) => link::sent(&web),
        Err(problems) => request_page(&web, &form, &problems),
    }
}

/// `GET /~/reset/{secret}`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    match link::find(&request, &web).await {
        Ok(link) => page(&web, &request, &link, &Problems::default()),
        Err(response) => response,
    }
}

/// `POST /~/reset/{secret}`
pub(super) async fn submit(request: HttpRequest, web: WebData, Form(form): Form<Reset>) -> HttpResponse {
    let link = match link::find(&request, &web).await {
        Ok(link) => link,
        Err(response) => return response,
    };
    match reset(&request, &web, &link, &form).await {
        Ok(Some(factor)) => code::after(&web, factor, &frame::start(&web), last_sign_in::PASSWORD),
        Ok(None) => link::used(&web),
        Err(problems) => page(&web, &request, &link, &problems),
    }
}

async fn reset(
    request: &HttpRequest,
    web: &Web,
    link: &SignInLink,
    form: &Reset,
) -> Result<Option<FirstFactor>, Problems> {
    let mut problems = Problems::default();
    let password = problems.read::<kinds::NewPassword>("password", &form.password);
    problems.none()?;
    Problems::check(own_user::check_strength("password", &password, &[link.display_name.as_str()]))?;
    let hash = Problems::check(web.state.hash_password(password).await)?;
    let (secret, browser) = (link::secret(request), sign_in::browser(request));
    let set = move |tx: &mut Tx<'_>| Ok(tx.reset_password(&secret, &hash, &browser)?);
    Problems::check(sign_in::transact(&web.state, set).await)
}

fn request_page(web: &Web, form: &Request, problems: &Problems) -> HttpResponse {
    let email = Field {
        name: "email",
        label: "E-mail address",
        kind: "email",
        autocomplete: "username",
        value: &form.email,
        hint: None,
    };
    let content = html! {
        p.lead { "A link to set a new password is mailed to you." }
        form method="post" action=(frame::at(web, "/~/reset")) {
            (frame::alert(problems))
            (email.markup(problems))
            button.primary { "E-mail me a link" }
        }
        p.hint { a href=(frame::at(web, "/~/sign-in")) { "Back to sign in" } }
    };
    frame::page(web, problems.response(), "Forgot your password?", &content)
}

fn page(web: &Web, request: &HttpRequest, link: &SignInLink, problems: &Problems) -> HttpResponse {
    let password = Field {
        name: "password",
        label: "New password",
        kind: "password",
        autocomplete: "new-password",
        value: "",
        hint: Some("At least 10 characters. Several unrelated words are a good choice."),
    };
    let content = html! {
        p.lead { "The new password of " strong { (link.display_name) } " ends all other sessions." }
        form method="post" action=(request.path()) {
            (frame::alert(problems))
            (password.markup(problems))
            button.primary { "Set password" }
        }
    };
    frame::page(web, problems.response(), "Set a new password", &content)
}
