//! `GET /v1/spaces/{spaceId}/git/info`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;

use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::{present, respond};

/// Returns the state of a space's last import from or export to Git.
pub async fn get_space_git_info(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let found = api
        .state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewSpace)?;
            Ok(reader.git_sync(&space)?)
        })
        .await?;
    respond::ok(&request, &present::git_sync(found, api.git.time_limit()))
}
