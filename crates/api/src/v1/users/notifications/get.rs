//! `GET /v1/user/notifications`

use actix_web::{HttpRequest, HttpResponse};

use crate::error::ApiResult;
use crate::extract::Caller;
use crate::respond;
use crate::state::State;

/// Returns when the caller is mailed about each kind of entries of the inbox.
pub async fn get_notifications(
    Caller(caller): Caller,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let notifications = state.read(caller, |reader| Ok(reader.own_notifications()?)).await?;
    respond::ok(&request, &notifications)
}
