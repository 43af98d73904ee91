//! `POST /v1/auth/passkey/start`

use actix_web::{HttpRequest, HttpResponse};
use quire_server::passkeys;

use crate::error::ApiResult;
use crate::state::State;
use crate::{present, respond};

/// Starts a sign-in with a passkey. The answer depends on no account.
pub async fn start_passkey_sign_in(request: HttpRequest, state: State) -> ApiResult<HttpResponse> {
    let challenge = passkeys::start_sign_in(&state, &request).await?;
    respond::changed(&present::passkey_challenge(challenge))
}
