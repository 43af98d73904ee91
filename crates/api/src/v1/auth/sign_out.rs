//! `POST /v1/auth/sign-out`

use actix_web::HttpResponse;

use crate::error::ApiResult;
use crate::extract::Caller;
use crate::state::State;
use crate::{respond, session_cookie};

/// Ends the session of the request and removes its cookie.
pub async fn sign_out(Caller(caller): Caller, state: State) -> ApiResult<HttpResponse> {
    let ended = state
        .transact(caller, |tx| {
            let actor = tx.actor()?;
            Ok(tx.sign_out(actor)?)
        })
        .await?;
    let mut response = respond::no_content();
    if ended {
        session_cookie::add(&mut response, &session_cookie::remove(&state.settings.base_url));
    }
    Ok(response)
}
