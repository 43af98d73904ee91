//! `POST /v1/auth/code`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::second_factors::CodeProof;
use quire_server::second_factor;

use crate::error::ApiResult;
use crate::extract::Json;
use crate::state::State;
use crate::{present, respond, session_cookie};

/// Ends a sign-in whose first factor the browser has proven. The secret of the session is in the cookie alone.
pub async fn sign_in_with_code(
    Json(body): Json<CodeProof>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let code = body.code.into_text()?;
    let session = second_factor::sign_in(&state, &request, &code).await?;
    let (user, created_at) = state.read(session.credentials(), |reader| Ok(reader.own_user()?)).await?;
    let mut response = respond::changed(&present::current_user(&state.urls, &user, created_at))?;
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    second_factor::forget(&state, &mut response);
    Ok(response)
}
