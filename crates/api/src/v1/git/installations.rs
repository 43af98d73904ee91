//! Connections of spaces to Git repositories.

use quire_domain::git::GitProvider;
use quire_domain::git_installations::{
    GitComparison, GitConfigurationUpdate, GitHook, GitInstallation, GitInstallationCreate,
    GitInstallationUpdate, GitOperationEntry, GitPreviews, SiteGitInstallations,
};
use quire_git::Address;
use quire_storage::content::git_installations::{GitRemote, GitRepository, GitSetup};
use quire_storage::lookup::Credentials;

use super::request::folder;
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ONE: Resource =
        Tag::Spaces.at("/v1/git/installations/{gitInstallationId}", Some(Object::GitInstallation));
    let access = || Needs(Action::TriggerGitSync);
    let view = || Needs(Action::ViewImports);
    vec![
        Route::post(
            Tag::Spaces.at("/v1/git/installations", None),
            access(),
            "Connect a space to a Git repository",
            install_git_sync_provider_on_target,
        )
        .body::<GitInstallationCreate>()
        .answers::<GitInstallation>(201),
        Route::get(
            Tag::Sites
                .at("/v1/orgs/{organizationId}/sites/{siteId}/spaces/git/installations", Some(Object::Site)),
            Needs(Action::ViewOrganizationContent),
            "List the Git connections of a site's spaces",
            list_site_git_sync_installations,
        )
        .answers::<SiteGitInstallations>(200),
        Route::get(ONE, view(), "Get a connection to a Git repository", get_git_sync_installation_by_id)
            .answers::<GitInstallation>(200),
        Route::patch(
            ONE,
            access(),
            "Update a connection to a Git repository",
            update_git_sync_installation_by_id,
        )
        .body::<GitInstallationUpdate>()
        .answers::<GitInstallation>(200),
        Route::delete(
            ONE,
            access(),
            "Disconnect a space from its Git repository",
            uninstall_git_sync_installation,
        )
        .resets(),
        Route::get(
            Tag::Spaces
                .at("/v1/git/installations/{gitInstallationId}/comparison", Some(Object::GitInstallation)),
            view(),
            "Compare a space with its Git repository",
            compare_git_sync_installation,
        )
        .answers::<GitComparison>(200),
        Route::post(
            Tag::Spaces.at("/v1/git/installations/{gitInstallationId}/sync", Some(Object::GitInstallation)),
            access(),
            "Synchronize with a Git repository now",
            sync_git_sync_installation,
        )
        .answers_nothing(),
        Route::get(
            Tag::Spaces
                .at("/v1/git/installations/{gitInstallationId}/operations", Some(Object::GitInstallation)),
            view(),
            "List the synchronizations with a Git repository",
            list_git_sync_operations,
        )
        .query::<PageQuery>()
        .lists::<GitOperationEntry>(),
        Route::get(
            Tag::Spaces
                .at("/v1/git/installations/{gitInstallationId}/previews", Some(Object::GitInstallation)),
            view(),
            "List the previews of pull requests",
            list_git_sync_previews,
        )
        .answers::<GitPreviews>(200),
        Route::post(
            Tag::Spaces.at(
                "/v1/git/installations/{gitInstallationId}/rotate-hook-secret",
                Some(Object::GitInstallation),
            ),
            Needs(Action::TriggerGitSync),
            "Rotate the secret of a repository's webhook",
            rotate_git_sync_hook_secret,
        )
        .answers::<GitHook>(200),
    ]
}

async fn install_git_sync_provider_on_target(
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

async fn list_site_git_sync_installations(
    Caller(caller): Caller,
    Path((organization, site)): Path<(OrganizationId, SiteId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let items = state
        .read(caller, move |reader| {
            let site = reader.site(organization, site)?.authorize(Action::ViewOrganizationContent)?;
            let found = reader.git_installations_of_site(&site)?;
            Ok(found.iter().map(|found| present::listed_git_installation(&urls, found)).collect())
        })
        .await?;
    respond::ok(&request, &SiteGitInstallations { items })
}

async fn get_git_sync_installation_by_id(
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

/// Field of the URL.
const URL: &str = "providerConfiguration.url";
/// Field of the id of a project.
const PROJECT: &str = "providerConfiguration.projectId";
/// Field of the URL of an instance.
const INSTANCE: &str = "providerConfiguration.customInstanceURL";

async fn update_git_sync_installation_by_id(
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
        preview_external_branches: preview_external,
        priority,
    } = body;
    let located = match &provider_configuration {
        None => None,
        Some(configuration) => locate(&api, caller, id, configuration).await?,
    };
    let setup = repository(&api, provider_configuration, located).and_then(|repository| {
        let project_directory = match project_directory.into_text()? {
            Patch::Keep => None,
            Patch::Clear => Some(String::new()),
            Patch::Set(path) => Some(folder(&path, "projectDirectory")?),
        };
        let commit_message_template = commit_message_template.into_text()?;
        Ok(GitSetup { repository, project_directory, commit_message_template, preview_external, priority })
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

/// Returns the URL and the id of the repository that a configuration names by its id.
///
/// # Errors
/// 400 for an id of another provider, together with a URL, or to which the token gives no access.
async fn locate(
    api: &Api,
    caller: Credentials,
    id: GitInstallationId,
    configuration: &GitConfigurationUpdate,
) -> ApiResult<Option<(String, i64)>> {
    let GitConfigurationUpdate { repository_id, project_id, custom_instance_url, .. } = configuration;
    let (field, number, host) = match (repository_id, project_id) {
        (None, None) if custom_instance_url.is_keep() => return Ok(None),
        (None, None) => return Err(ApiError::invalid_field(PROJECT, "is required with `customInstanceURL`")),
        (Some(_), Some(_)) => {
            return Err(ApiError::invalid_field(PROJECT, "must not be together with `repositoryId`"));
        }
        (Some(id), None) => ("providerConfiguration.repositoryId", *id, GitProvider::Github),
        (None, Some(id)) => (PROJECT, *id, GitProvider::Gitlab),
    };
    let read = move |reader: &mut quire_storage::Reader<'_>| {
        let installation = reader.git_installation(id)?.authorize(Action::TriggerGitSync)?;
        let stored = match installation.item.url {
            Some(_) => Some(reader.git_remote(&installation)?),
            None => None,
        };
        Ok((installation.item.provider, stored))
    };
    let (provider, stored) = api.state.read(caller, read).await?;
    if provider != host {
        return Err(ApiError::invalid_field(field, "is of another provider than the connection"));
    }
    if configuration.url.is_some() {
        return Err(ApiError::invalid_field(URL, "must not be together with an id"));
    }
    let of_stored = stored.as_ref().and_then(|stored| Some(Address::parse(&stored.url).ok()?.origin()));
    let public = || match provider {
        GitProvider::Gitlab => "https://gitlab.com".to_owned(),
        _ => "https://github.com".to_owned(),
    };
    let origin = match custom_instance_url.clone().into_text()? {
        Patch::Keep => of_stored.clone().unwrap_or_else(public),
        Patch::Clear => public(),
        Patch::Set(url) => {
            let address =
                Address::parse(&url).map_err(|error| ApiError::invalid_field(INSTANCE, error.to_string()))?;
            if address.has_account()
                || (!address.is_encrypted() && !api.imports.fetcher.trusts(address.url()))
            {
                return Err(ApiError::invalid_field(
                    INSTANCE,
                    "must begin with `https://`, without credentials",
                ));
            }
            address.origin()
        }
    };
    let account = match configuration.access_token.clone().into_text()? {
        Patch::Set(token) => Some((String::new(), token)),
        Patch::Clear => None,
        // A stored token is sent to no other host.
        Patch::Keep => {
            stored.filter(|_| of_stored.as_ref() == Some(&origin)).and_then(|stored| stored.account)
        }
    };
    let remote = GitRemote { url: origin, account, reference: None, project_directory: String::new() };
    match api.git.clone_url(&remote, provider, number).await? {
        Some(url) => Ok(Some((url, number))),
        None => Err(ApiError::invalid_field(field, "is of no repository that the token gives access to")),
    }
}

/// Returns the change of a repository.
///
/// # Errors
/// 400 for a URL that is not that of a repository, or has credentials.
fn repository(
    api: &Api,
    update: Option<GitConfigurationUpdate>,
    located: Option<(String, i64)>,
) -> ApiResult<Option<GitRepository>> {
    let Some(GitConfigurationUpdate { url, username, access_token, branch, .. }) = update else {
        return Ok(None);
    };
    let (located, repository_id) = located.unzip();
    let url = match url.into_text()?.or(located) {
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
    Ok(Some(GitRepository { url, repository_id, username, secret: access_token.into_text()?, reference }))
}

async fn uninstall_git_sync_installation(
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

async fn compare_git_sync_installation(
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
    let comparison = api.git.compare(&**api, caller, space, remote).await?;
    respond::ok(&request, &comparison)
}

async fn sync_git_sync_installation(
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

async fn list_git_sync_operations(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::new(format!("synchronizations of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let installation = reader.git_installation(id)?.authorize(Action::ViewImports)?;
            Ok(reader.git_operations(&installation, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |record| record.id, |record| Ok(present::git_operation(record)))
}

async fn list_git_sync_previews(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let items = state
        .read(caller, move |reader| {
            let installation = reader.git_installation(id)?.authorize(Action::ViewImports)?;
            let previews = reader.git_previews_of(&installation)?.into_iter();
            Ok(previews.map(|preview| present::git_preview(&urls, installation.space.id, preview)).collect())
        })
        .await?;
    respond::ok(&request, &GitPreviews { items })
}

async fn rotate_git_sync_hook_secret(
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
