//! `/~/link/{secret}`: single-use sign-in links, and the form that mails one. A GET does not consume the link, because
//! link scanners send it.

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_domain::texts::kinds;
use quire_server::{ApiResult, last_sign_in, sign_in};
use quire_storage::lookup::Credentials;
use quire_storage::people::mails::LinkPurpose;
use quire_storage::people::sign_in_links::SignInLink;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::ways::{self, SignIn};
use super::{code, frame};
use crate::errors;
use crate::state::{Web, WebData};

/// Form without fields.
#[derive(Deserialize)]
pub(super) struct Confirmation {}

/// Returns the secret in a path.
pub(super) fn secret(request: &HttpRequest) -> String {
    request.match_info().get("secret").unwrap_or_default().to_owned()
}

/// `POST /~/sign-in/link`: mails a sign-in link to the address in the form.
pub(super) async fn mail(request: HttpRequest, web: WebData, Form(form): Form<SignIn>) -> HttpResponse {
    if !web.state.settings.mail {
        return errors::not_found();
    }
    let form = form.with_own_next(&web);
    match send(&request, &web, LinkPurpose::SignIn, &form.email).await {
        Ok(()) => sent(&web),
        Err(problems) => ways::page(&request, &web, &form, &problems).await,
    }
}

/// Mails a link to the address of a form.
pub(super) async fn send(
    request: &HttpRequest,
    web: &Web,
    purpose: LinkPurpose,
    email: &str,
) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let email = problems.read::<kinds::Email>("email", email.trim());
    problems.none()?;
    Problems::check(sign_in::mail_link(&web.state, request, purpose, email).await)
}

/// Returns the page after a request for a link. It is the same if the address has no account.
pub(super) fn sent(web: &Web) -> HttpResponse {
    let content = html! {
        p.lead { "If there is an account with this address, a link is on its way. It works for 15 minutes." }
        p.hint { "Nothing arrived? Check your spam folder, or ask again in a minute." }
        p.hint { a href=(frame::at(web, "/~/sign-in")) { "Back to sign in" } }
    };
    frame::page(web, HttpResponse::Ok().finish(), "Check your mail", &content)
}

/// `GET /~/link/{secret}`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    let link = match find(&request, &web).await {
        Ok(link) => link,
        Err(response) => return response,
    };
    let content = html! {
        p.lead { "This link signs you in as " strong { (link.display_name) } ", once." }
        form method="post" action=(request.path()) { button.primary { "Sign in" } }
    };
    frame::page(&web, HttpResponse::Ok().finish(), "Sign in", &content)
}

/// Returns the link in a path, or a response about its problem.
pub(super) async fn find(request: &HttpRequest, web: &Web) -> Result<SignInLink, HttpResponse> {
    let secret = secret(request);
    let found: ApiResult<_> =
        web.state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.sign_in_link(&secret)?)).await;
    match found {
        Ok(Some(link)) if link.is_usable => Ok(link),
        Ok(Some(_)) => Err(used(web)),
        Ok(None) => Err(errors::not_found()),
        Err(error) => Err(errors::failed(&error)),
    }
}

/// `POST /~/link/{secret}`
pub(super) async fn submit(
    request: HttpRequest,
    web: WebData,
    Form(Confirmation {}): Form<Confirmation>,
) -> HttpResponse {
    let (secret, browser) = (secret(&request), sign_in::browser(&request));
    let sign_in = move |tx: &mut quire_storage::Tx<'_>| Ok(tx.sign_in_with_link(&secret, &browser)?);
    match sign_in::transact(&web.state, sign_in).await {
        Ok(Some(factor)) => code::after(&web, factor, &frame::start(&web), last_sign_in::LINK),
        Ok(None) => used(&web),
        Err(error) => errors::failed(&error),
    }
}

pub(super) fn used(web: &Web) -> HttpResponse {
    let advice = match web.state.settings.mail {
        true => "Ask for a new one on the sign-in page.",
        false => "Ask the operator of this server for a new one.",
    };
    errors::gone("This link has been used or has expired", advice)
}
