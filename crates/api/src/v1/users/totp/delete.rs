//! `DELETE /v1/user/totp`

use actix_web::HttpResponse;
use quire_server::second_factor;

use crate::error::ApiResult;
use crate::extract::Caller;
use crate::respond;
use crate::state::State;

/// Removes the caller's authenticator app with its recovery codes.
pub async fn delete_totp(Caller(caller): Caller, state: State) -> ApiResult<HttpResponse> {
    second_factor::remove(&state, caller).await?;
    Ok(respond::no_content())
}
