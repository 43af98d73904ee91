//! `GET /v1/spaces/{spaceId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// A space. Its admins see it for as long as it can be restored.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let space = state
        .read(caller, move |reader| Ok(reader.space(id)?.authorize_even_deleted(Action::ViewSpace)?))
        .await?;
    respond::ok(&request, &present::space(&state.urls, &space, space.role()))
}
