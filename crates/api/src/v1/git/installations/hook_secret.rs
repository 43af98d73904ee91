//! `POST /v1/git/installations/{gitInstallationId}/rotate-hook-secret`

use actix_web::HttpResponse;
use quire_domain::git_installations::GitHook;
use quire_domain::ids::GitInstallationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Gives the webhook of a connection another secret, and returns it once.
pub async fn rotate_git_sync_hook_secret(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    state: State,
) -> ApiResult<HttpResponse> {
    let url = state.urls.api(format_args!("git/hooks/{id}"));
    let secret = state
        .transact(caller, move |tx| {
            let installation = tx.git_installation(id)?.authorize(Action::TriggerGitSync)?;
            Ok(tx.rotate_git_hook_secret(&installation)?)
        })
        .await?;
    respond::changed(&GitHook { url, secret })
}
