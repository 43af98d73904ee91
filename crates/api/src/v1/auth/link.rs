//! `POST /v1/auth/link` and `POST /v1/auth/link/verify`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::error::Reason;
use quire_domain::sign_in::{SignInLinkProof, SignInLinkPurpose, SignInLinkRequest};
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::mails::LinkPurpose;

use super::first_factor;
use crate::error::{ApiError, ApiResult};
use crate::extract::Json;
use crate::sign_in;
use crate::state::State;

/// Mails a link to the user with this address. The response is the same for an address without an account.
pub async fn mail_sign_in_link(
    Json(body): Json<SignInLinkRequest>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let SignInLinkRequest { email, purpose } = body;
    let purpose = match purpose {
        SignInLinkPurpose::SignIn => LinkPurpose::SignIn,
        SignInLinkPurpose::PasswordReset => LinkPurpose::PasswordReset,
    };
    sign_in::mail_link(&state, &request, purpose, email.into_text()?).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Uses a link up and signs its user in.
pub async fn sign_in_with_link(
    Json(body): Json<SignInLinkProof>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (secret, browser) = (body.secret.into_text()?, sign_in::browser(&request));
    let sign_in = move |tx: &mut Tx<'_>| {
        tx.sign_in_with_link(&secret, &browser)?.ok_or_else(|| ApiError::new(Reason::WrongLink))
    };
    let factor = state.transact(Credentials::ANONYMOUS, sign_in).await?;
    first_factor::respond_to(&state, factor).await
}
