//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::lookup::ChangeRequestKey;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns a change request by id or number.
pub async fn get_change_request_by_id(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let found = state
        .read(caller, move |reader| Ok(reader.change_request(space, key)?.authorize(Action::ViewSpace)?))
        .await?;
    respond::ok(&request, &present::change_request(&state.urls, &found.item, found.space.head))
}
