//! `DELETE /v1/git/installations/{gitInstallationId}`

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use quire_domain::ids::GitInstallationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;

/// Disconnects a space from its repository. Content and repository stay as they are.
pub async fn uninstall_git_sync_installation(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let installation = tx.git_installation(id)?.authorize(Action::TriggerGitSync)?;
            Ok(tx.delete_git_installation(&installation)?)
        })
        .await?;
    Ok(HttpResponse::new(StatusCode::RESET_CONTENT))
}
