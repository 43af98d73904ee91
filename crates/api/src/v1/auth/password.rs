//! `POST /v1/auth/password`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::sign_in::PasswordSignIn;

use super::first_factor;
use crate::error::ApiResult;
use crate::extract::Json;
use crate::sign_in;
use crate::state::State;

/// Signs the user with this address and password in.
pub async fn sign_in_with_password(
    Json(body): Json<PasswordSignIn>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let PasswordSignIn { email, password } = body;
    let (email, password) = (email.into_text()?, password.into_text()?);
    let factor = sign_in::with_password(&state, &request, email, password).await?;
    first_factor::respond_to(&state, factor).await
}
