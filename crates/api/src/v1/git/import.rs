//! `POST /v1/spaces/{spaceId}/git/import`

use std::sync::Arc;

use actix_web::HttpResponse;
use quire_domain::git::{GitDirection, GitImportRequest};
use quire_domain::ids::SpaceId;

use super::request::{Named, Started, accepted, start};
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};

/// Starts an import from a Git repository, and responds with 204 before it ends.
pub async fn import_git_repository(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Json(body): Json<GitImportRequest>,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let named = Named {
        url: body.url.into_text()?,
        reference: body.reference.map(|reference| reference.into_text()).transpose()?,
        project_directory: body.repo_project_directory.map(|path| path.into_text()).transpose()?,
        tree_url: body.repo_tree_url.map(|url| url.into_text()).transpose()?,
        info: body.git_info,
        force: body.force.unwrap_or_default(),
        standalone: body.standalone.unwrap_or_default(),
    };
    let Started { run, permit, .. } = start(&api, caller, space, GitDirection::Import, named).await?;
    let runs = Arc::clone(&api);
    actix_web::rt::spawn(async move { runs.git.import(&*runs, run, permit).await });
    Ok(accepted(&api, space))
}
