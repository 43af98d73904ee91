//! `POST /v1/git/installations`

use actix_web::HttpResponse;
use quire_domain::git::GitProvider;
use quire_domain::git_installations::GitInstallationCreate;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Json};
use crate::state::State;
use crate::{present, respond};

/// Connects a space to a Git repository. Nothing is synchronized before it is set up.
pub async fn install_git_sync_provider_on_target(
    Caller(caller): Caller,
    Json(GitInstallationCreate { provider, target }): Json<GitInstallationCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let provider = match provider {
        GitProvider::GithubLegacy => GitProvider::Github,
        provider => provider,
    };
    let urls = state.urls.clone();
    let created = state
        .transact(caller, move |tx| {
            let space = tx.space(target.space_id)?.authorize(Action::TriggerGitSync)?;
            let installation = tx.create_git_installation(&space, provider)?;
            Ok(present::git_installation(&urls, &installation, None))
        })
        .await?;
    respond::created(&created.urls.location, &created)
}
