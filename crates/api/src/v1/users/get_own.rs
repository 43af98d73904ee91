//! `GET /v1/user`

use actix_web::{HttpRequest, HttpResponse};

use crate::error::ApiResult;
use crate::extract::Caller;
use crate::state::State;
use crate::{present, respond};

/// Returns the caller's user record.
pub async fn get_authenticated_user(
    Caller(caller): Caller,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (user, created_at) = state.read(caller, |reader| Ok(reader.own_user()?)).await?;
    respond::ok(&request, &present::current_user(&state.urls, &user, created_at))
}
