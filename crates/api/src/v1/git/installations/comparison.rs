//! `GET /v1/git/installations/{gitInstallationId}/comparison`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::GitInstallationId;
use quire_domain::policy::Action;

use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;

/// Counts the pages on both sides of a connection, before the side that has priority is chosen.
pub async fn compare_git_sync_installation(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let (space, remote) = api
        .state
        .read(caller, move |reader| {
            let installation = reader.git_installation(id)?.authorize(Action::ViewImports)?;
            let remote = match installation.item.url {
                Some(_) => Some(reader.git_remote(&installation)?),
                None => None,
            };
            Ok((installation.space.id, remote))
        })
        .await?;
    let comparison = api.git.compare(&*api, caller, space, remote).await?;
    respond::ok(&request, &comparison)
}
