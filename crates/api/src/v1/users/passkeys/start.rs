//! `POST /v1/user/passkeys/start`

use actix_web::HttpResponse;
use quire_server::passkeys;

use crate::error::ApiResult;
use crate::extract::Caller;
use crate::state::State;
use crate::{present, respond};

/// Starts to register a passkey of the caller.
pub async fn start_passkey(Caller(caller): Caller, state: State) -> ApiResult<HttpResponse> {
    let challenge = passkeys::start_registration(&state, caller).await?;
    respond::changed(&present::passkey_challenge(challenge))
}
