//! `POST /v1/user/passkeys`

use actix_web::HttpResponse;
use quire_domain::passkeys::PasskeyCreate;
use quire_server::passkeys;

use crate::error::ApiResult;
use crate::extract::{Caller, Json};
use crate::state::State;
use crate::{present, respond};

/// Registers a passkey of the caller.
pub async fn create_passkey(
    Caller(caller): Caller,
    Json(body): Json<PasskeyCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let PasskeyCreate { challenge, name, credential } = body;
    let passkey = passkeys::register(&state, caller, challenge, name.into_text()?, &credential).await?;
    let location = state.urls.api(format_args!("user/passkeys/{}", passkey.id));
    respond::created(&location, &present::passkey(passkey))
}
