//! `POST /v1/spaces/{spaceId}/git/export`

use std::sync::Arc;

use actix_web::HttpResponse;
use quire_content::git::NewExport;
use quire_domain::git::{GitDirection, GitExportRequest};
use quire_domain::ids::SpaceId;

use super::request::{Named, Started, accepted, start};
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};

/// Starts an export to a Git repository, and responds with 204 before it ends.
pub async fn export_to_git_repository(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Json(body): Json<GitExportRequest>,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let message = body.commit_message.into_text()?;
    let named = Named {
        url: body.url.into_text()?,
        reference: body.reference.map(|reference| reference.into_text()).transpose()?,
        project_directory: body.repo_project_directory.map(|path| path.into_text()).transpose()?,
        tree_url: body.repo_tree_url.map(|url| url.into_text()).transpose()?,
        info: body.git_info,
        force: body.force.unwrap_or_default(),
        standalone: body.standalone.unwrap_or_default(),
    };
    let time = body.timestamp.unwrap_or_else(|| api.state.storage.clock().now());
    let Started { run, permit, user } = start(&api, caller, space, GitDirection::Export, named).await?;
    let new = NewExport { message, seconds: time.millis().div_euclid(1_000), author: user, proposes: None };
    let runs = Arc::clone(&api);
    actix_web::rt::spawn(async move { runs.git.export(&*runs, run, new, permit).await });
    Ok(accepted(&api, space))
}
