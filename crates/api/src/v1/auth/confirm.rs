//! `POST /v1/auth/confirm`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounded::IntoText as _;
use quire_domain::second_factors::SessionConfirmation;
use quire_server::second_factor;

use crate::error::ApiResult;
use crate::extract::{Caller, Json};
use crate::respond;
use crate::state::State;

/// Notes that the user of the session has proven who they are, for ten minutes.
pub async fn confirm_session(
    Caller(caller): Caller,
    Json(body): Json<SessionConfirmation>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let SessionConfirmation { password, code } = body;
    second_factor::confirm(&state, &request, caller, password.into_text()?, code.into_text()?).await?;
    Ok(respond::no_content())
}
