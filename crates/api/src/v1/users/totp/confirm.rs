//! `POST /v1/user/totp/confirm`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::second_factors::{CodeProof, RecoveryCodes};
use quire_server::second_factor;

use crate::error::ApiResult;
use crate::extract::{Caller, Json};
use crate::respond;
use crate::state::State;

/// Enables the caller's authenticator app with its first code, and returns recovery codes.
pub async fn confirm_totp(
    Caller(caller): Caller,
    Json(body): Json<CodeProof>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let code = body.code.into_text()?;
    let recovery_codes = second_factor::enable(&state, &request, caller, &code).await?;
    respond::changed(&RecoveryCodes { recovery_codes })
}
