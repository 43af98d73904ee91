//! `GET /v1/users/{userId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::UserId;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns the caller or a user in one of the caller's organizations.
pub async fn get_user_by_id(
    Caller(caller): Caller,
    Path(id): Path<UserId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let user = state.read(caller, move |reader| Ok(reader.user(id)?)).await?;
    respond::ok(&request, &present::user(&state.urls, &user))
}
