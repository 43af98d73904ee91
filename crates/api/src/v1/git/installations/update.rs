//! `PATCH /v1/git/installations/{gitInstallationId}`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::git_installations::{GitConfigurationUpdate, GitInstallationUpdate};
use quire_domain::ids::GitInstallationId;
use quire_domain::patch::Patch;
use quire_domain::policy::Action;
use quire_git::Address;
use quire_storage::git_installations::{GitRepository, GitSetup};

use super::super::request::folder;
use crate::api::{Api, ApiData};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::{present, respond};

/// Field of the URL.
const URL: &str = "providerConfiguration.url";

/// Sets up or changes a connection, and has it synchronize.
pub async fn update_git_sync_installation_by_id(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    OptionalJson(body): OptionalJson<GitInstallationUpdate>,
    if_match: IfMatch,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let GitInstallationUpdate {
        provider_configuration,
        project_directory,
        commit_message_template,
        priority,
    } = body;
    let setup = repository(&api, provider_configuration).and_then(|repository| {
        let project_directory = match project_directory.into_text()? {
            Patch::Keep => None,
            Patch::Clear => Some(String::new()),
            Patch::Set(path) => Some(folder(&path, "projectDirectory")?),
        };
        let commit_message_template = commit_message_template.into_text()?;
        Ok(GitSetup { repository, project_directory, commit_message_template, priority })
    });
    let urls = api.state.urls.clone();
    let installation = api
        .state
        .transact(caller, move |tx| {
            let found = tx.git_installation(id)?.authorize(Action::TriggerGitSync)?;
            let last = tx.last_git_sync(&found)?;
            if_match.check(&present::git_installation(&urls, &found, last.clone()))?;
            let installation = tx.update_git_installation(&found, setup?)?;
            Ok(present::git_installation(&urls, &installation, last))
        })
        .await?;
    respond::changed(&installation)
}

/// Returns the change of a repository.
///
/// # Errors
/// 400 for a URL that is not that of a repository, or has credentials.
fn repository(api: &Api, update: Option<GitConfigurationUpdate>) -> ApiResult<Option<GitRepository>> {
    let Some(GitConfigurationUpdate { url, username, access_token, branch }) = update else {
        return Ok(None);
    };
    let url = match url.into_text()? {
        None => None,
        Some(url) => {
            let address =
                Address::parse(&url).map_err(|error| ApiError::invalid_field(URL, error.to_string()))?;
            if address.has_account() {
                let message = "must not contain credentials: send `username` and `accessToken`";
                return Err(ApiError::invalid_field(URL, message));
            }
            if !address.is_encrypted() && !api.imports.fetcher.trusts(address.url()) {
                return Err(ApiError::invalid_field(URL, "must begin with `https://`"));
            }
            Some(address.to_string())
        }
    };
    let username = username.into_text()?;
    if username.set().is_some_and(|username| username.contains(':')) {
        return Err(ApiError::invalid_field("providerConfiguration.username", "must not contain `:`"));
    }
    let reference = branch.into_text()?;
    if reference.set().is_some_and(|reference| !reference.starts_with("refs/heads/")) {
        return Err(ApiError::invalid_field("providerConfiguration.branch", "must begin with `refs/heads/`"));
    }
    Ok(Some(GitRepository { url, username, secret: access_token.into_text()?, reference }))
}
