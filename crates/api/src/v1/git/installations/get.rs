//! `GET /v1/git/installations/{gitInstallationId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::GitInstallationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns the connection of a space to a Git repository.
pub async fn get_git_sync_installation_by_id(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let installation = state
        .read(caller, move |reader| {
            let installation = reader.git_installation(id)?.authorize(Action::ViewImports)?;
            let last = reader.last_git_sync(&installation)?;
            Ok(present::git_installation(&urls, &installation, last))
        })
        .await?;
    respond::ok(&request, &installation)
}
