//! `POST /v1/auth/passkey`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::passkeys::PasskeySignIn;
use quire_server::{passkeys, second_factor};

use crate::error::ApiResult;
use crate::extract::Json;
use crate::state::State;
use crate::{present, respond, session_cookie};

/// Signs the user of a passkey in. The secret of the session is in the cookie alone.
pub async fn sign_in_with_passkey(
    Json(body): Json<PasskeySignIn>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let session = passkeys::sign_in(&state, &request, body.challenge, &body.credential).await?;
    let (user, created_at) = state.read(session.credentials(), |reader| Ok(reader.own_user()?)).await?;
    let mut response = respond::changed(&present::current_user(&state.urls, &user, created_at))?;
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    // The passkey replaces a code that the browser was asked for.
    second_factor::forget(&state, &mut response);
    Ok(response)
}
