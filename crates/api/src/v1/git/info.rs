//! `GET /v1/spaces/{spaceId}/git/info`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::Error;

use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::{present, respond};

/// Returns the state of a space's connection to Git, or of its last import or export by request.
pub async fn get_space_git_info(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let time_limit = api.git.time_limit();
    let state = api
        .state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewSpace)?;
            let (installation, last) = (reader.git_installation_of(&space)?, reader.git_sync(&space)?);
            Ok(present::git_sync(space.id, installation, last, time_limit))
        })
        .await?;
    respond::ok(&request, &state.ok_or(Error::NotFound)?)
}
