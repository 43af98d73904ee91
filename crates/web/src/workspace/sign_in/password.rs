//! `POST /~/sign-in`: sign-in with a password.

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::texts::kinds;
use quire_server::{last_sign_in, sign_in};

use super::code;
use super::form::{Form, Problems};
use super::ways::{self, SignIn};
use crate::state::{Web, WebData};

/// `POST /~/sign-in`
pub(super) async fn submit(request: HttpRequest, web: WebData, Form(form): Form<SignIn>) -> HttpResponse {
    let form = form.with_own_next(&web);
    match sign_in(&request, &web, &form).await {
        Ok(response) => response,
        Err(problems) => ways::page(&request, &web, &form, &problems).await,
    }
}

async fn sign_in(request: &HttpRequest, web: &Web, form: &SignIn) -> Result<HttpResponse, Problems> {
    let mut problems = Problems::default();
    let email = problems.read::<kinds::Email>("email", form.email.trim());
    let password = problems.read::<kinds::Password>("password", &form.password);
    problems.none()?;
    let factor = Problems::check(sign_in::with_password(&web.state, request, email, password).await)?;
    Ok(code::after(web, factor, &form.next, last_sign_in::PASSWORD))
}
