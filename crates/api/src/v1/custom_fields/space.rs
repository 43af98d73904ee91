//! `GET /v1/spaces/{spaceId}/custom-fields`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns all custom fields of the space's organization, newest first, with the values of the space.
pub async fn get_space_custom_fields(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let fields = state
        .read(caller, move |reader| {
            let space = reader.space(id)?.authorize(Action::ViewSpace)?;
            let fields = reader.custom_fields_of_space(&space)?;
            present::space_custom_fields(&urls, &space, fields)
        })
        .await?;
    respond::ok(&request, &fields)
}
