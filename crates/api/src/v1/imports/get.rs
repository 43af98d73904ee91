//! `GET /v1/spaces/{spaceId}/imports/{importId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{ImportId, SpaceId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns an import with its progress or result.
pub async fn get_import(
    Caller(caller): Caller,
    Path((space, import)): Path<(SpaceId, ImportId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let found = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewImports)?;
            Ok(reader.import(&space, import)?)
        })
        .await?;
    respond::ok(&request, &present::import(&state.urls, found))
}
