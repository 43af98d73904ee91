//! `POST /v1/git/installations/{gitInstallationId}/sync`

use actix_web::HttpResponse;
use actix_web::http::header;
use quire_domain::ids::GitInstallationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;

/// Has a connection synchronize now, and responds before it ends.
pub async fn sync_git_sync_installation(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let installation = tx.git_installation(id)?.authorize(Action::TriggerGitSync)?;
            Ok(tx.request_git_sync(&installation)?)
        })
        .await?;
    let location = state.urls.api(format_args!("git/installations/{id}/operations"));
    Ok(HttpResponse::NoContent().insert_header((header::LOCATION, location)).finish())
}
