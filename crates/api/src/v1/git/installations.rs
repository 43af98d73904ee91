//! Connections of spaces and sites to Git repositories.

use std::collections::BTreeMap;

use quire_content::git::GithubApp;
use quire_domain::git::GitProvider;
use quire_domain::git_installations::{
    GitComparison, GitConfigurationUpdate, GitHook, GitInstallation, GitInstallationCreate,
    GitInstallationUpdate, GitOperationEntry, GitPreviews, GitPriority, GitTarget, GitTargetType,
    SiteGitInstallations,
};
use quire_domain::ids::{GitOperationId, OrganizationId};
use quire_domain::texts::GitText;
use quire_git::Address;
use quire_storage::content::git_installations::{
    GitAppInstallation, GitInstallationRecord, GitRemote, GitRepository, GitSetup,
};
use quire_storage::content::git_sites::FoundGitInstallation;
use quire_storage::lookup::Credentials;

use uuid::Uuid;

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
            "Connect content to a Git repository",
            install_git_sync_provider_on_target,
        )
        .body::<GitInstallationCreate>()
        .answers::<GitInstallation>(201),
        Route::get(
            Tag::Sites
                .at("/v1/orgs/{organizationId}/sites/{siteId}/spaces/git/installations", Some(Object::Site)),
            Needs(Action::ViewOrganizationContent),
            "List the Git connections of a site",
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
        Route::delete(ONE, access(), "Disconnect a space or site from Git", uninstall_git_sync_installation)
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
            Tag::Spaces.at(
                "/v1/git/installations/{gitInstallationId}/operations/{gitOperationId}",
                Some(Object::GitInstallation),
            ),
            view(),
            "Get a synchronization with a Git repository",
            get_git_sync_operation_by_id,
        )
        .answers::<GitOperationEntry>(200),
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
        .transact(caller, move |tx| match target_of(&target)? {
            Connected::Space(id) => {
                let space = tx.space(id)?.authorize(Action::TriggerGitSync)?;
                let installation = tx.create_git_installation(&space, provider)?;
                Ok(present::git_installation(&urls, &installation, None))
            }
            Connected::Site(id) => {
                let site = tx.site_to_connect(id)?.authorize(Action::TriggerGitSync)?;
                let installation = tx.create_site_git_installation(&site, provider)?;
                Ok(present::site_git_installation(&urls, &installation))
            }
        })
        .await?;
    respond::created(&created.urls.location, &created)
}

/// Space or site to connect.
enum Connected {
    Space(SpaceId),
    Site(SiteId),
}

/// Returns the target of a new connection.
///
/// # Errors
/// 400 without the id of its type, and for a space with a site.
fn target_of(target: &GitTarget) -> ApiResult<Connected> {
    let required = |field: &str| ApiError::invalid_field(field, "is required");
    match (target.kind, target.space_id, target.site_id) {
        (GitTargetType::Space, _, Some(_)) => Err(ApiError::invalid_field(
            "target.siteId",
            "must be absent: `childInstallationProjectDirectories` of the connection of the site connects its spaces",
        )),
        (GitTargetType::Space, Some(space), None) => Ok(Connected::Space(space)),
        (GitTargetType::Space, None, None) => Err(required("target.spaceId")),
        (GitTargetType::Site, Some(_), _) => {
            Err(ApiError::invalid_field("target.spaceId", "must be absent for a site"))
        }
        (GitTargetType::Site, None, Some(site)) => Ok(Connected::Site(site)),
        (GitTargetType::Site, None, None) => Err(required("target.siteId")),
    }
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
            let own = reader.git_installation_of_site(&site)?.filter(|own| own.may(Action::ViewImports));
            let own = own.map(|own| present::site_git_installation(&urls, &own));
            let found = reader.git_installations_of_site(&site)?;
            let found = found.iter().map(|found| present::listed_git_installation(&urls, found));
            Ok(own.into_iter().chain(found).collect())
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
        .read(caller, move |reader| match reader.any_git_installation(id)? {
            FoundGitInstallation::Space(found) => {
                let installation = found.authorize(Action::ViewImports)?;
                let last = reader.last_git_sync(&installation)?;
                Ok(present::git_installation(&urls, &installation, last))
            }
            FoundGitInstallation::Site(found) => {
                let found = found.authorize(Action::ViewImports)?;
                Ok(present::site_git_installation(&urls, &found))
            }
        })
        .await?;
    respond::ok(&request, &installation)
}

/// Field of the URL.
const URL: &str = "providerConfiguration.url";
/// Field of the id of a project.
const PROJECT: &str = "providerConfiguration.projectId";
/// Field of the folders of the spaces of a site.
const DIRECTORIES: &str = "childInstallationProjectDirectories";
/// Field of the installation of the GitHub App.
const APP: &str = "providerConfiguration.appInstallationId";
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
        agent_instructions,
        priority,
        child_installation_project_directories: directories,
    } = body;
    let directories = directories.map(folders).transpose()?;
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
        Ok(GitSetup {
            repository,
            project_directory,
            commit_message_template,
            preview_external,
            agent_instructions,
            priority,
        })
    });
    if let (Ok(setup), Some(GitPriority::Git)) = (&setup, priority) {
        require_site_file(&api, caller, id, setup).await?;
    }
    let (urls, app) = (api.state.urls.clone(), api.git.app().cloned());
    let installation = api
        .state
        .transact(caller, move |tx| match tx.any_git_installation(id)? {
            FoundGitInstallation::Space(found) => {
                let found = found.authorize(Action::TriggerGitSync)?;
                let last = tx.last_git_sync(&found)?;
                if_match.check(&present::git_installation(&urls, &found, last.clone()))?;
                if directories.is_some() {
                    return Err(ApiError::invalid_field(DIRECTORIES, "must be absent for a space"));
                }
                let setup = setup?;
                check_app(app.as_ref(), (found.space.organization, &found.item), setup.repository.as_ref())?;
                let installation = tx.update_git_installation(&found, setup)?;
                Ok(present::git_installation(&urls, &installation, last))
            }
            FoundGitInstallation::Site(found) => {
                let found = found.authorize(Action::TriggerGitSync)?;
                if_match.check(&present::site_git_installation(&urls, &found))?;
                let setup = setup?;
                check_site(&setup)?;
                let installation = tx.update_site_git_installation(&found, setup, directories)?;
                Ok(present::site_git_installation(&urls, &installation))
            }
        })
        .await?;
    respond::changed(&installation)
}

/// Returns the folders of spaces by the ids of the spaces or of their connections.
///
/// # Errors
/// 400 for an id or a folder of a wrong form.
fn folders(directories: BTreeMap<String, GitText>) -> ApiResult<BTreeMap<Uuid, String>> {
    let folders = directories.into_iter().map(|(id, path)| {
        let field = format!("{DIRECTORIES}.{id}");
        let id = Uuid::parse_str(&id).map_err(|_| ApiError::invalid_field(&field, "must be an id"))?;
        let path = path.into_text()?;
        Ok((id, folder(&path, &field)?))
    });
    folders.collect()
}

/// Checks that the repository of a site's connection has a site file. Connections of spaces pass.
async fn require_site_file(
    api: &Api,
    caller: Credentials,
    id: GitInstallationId,
    setup: &GitSetup,
) -> ApiResult<()> {
    let (repository, folder) =
        (setup.repository.clone().unwrap_or_default(), setup.project_directory.clone());
    let read = move |reader: &mut quire_storage::Reader<'_>| {
        let FoundGitInstallation::Site(found) = reader.any_git_installation(id)? else { return Ok(None) };
        let found = found.authorize(Action::TriggerGitSync)?;
        let stored = found.item.url.is_some().then(|| reader.site_git_remote(&found)).transpose()?;
        Ok(Some((found.item.clone(), stored)))
    };
    let Some((item, stored)) = api.state.read(caller, read).await? else { return Ok(()) };
    let is_another = repository.url.is_some() && repository.url != item.url;
    let Some(url) = repository.url.or(item.url) else { return Ok(()) };
    let (username, secret) = stored.and_then(|stored| stored.account).unzip();
    let username = repository.username.apply(username).unwrap_or_default();
    // A stored token is sent to no other repository.
    let secret = repository.secret.apply(secret.filter(|_| !is_another));
    let remote = GitRemote {
        url,
        account: secret.map(|secret| (username, secret)),
        app: None,
        reference: repository.reference.apply(item.reference),
        project_directory: folder.unwrap_or(item.project_directory),
    };
    Ok(api.git.require_site_file(remote).await?)
}

/// Refuses settings that are those of a space.
///
/// # Errors
/// 400 for an installation of the GitHub App, and for instructions for agents.
fn check_site(setup: &GitSetup) -> ApiResult<()> {
    let app = setup.repository.as_ref().and_then(|repository| repository.app_installation.set());
    if app.is_some() {
        return Err(ApiError::invalid_field(APP, "must be absent for a site, which needs a token"));
    }
    if setup.agent_instructions.is_some() {
        return Err(ApiError::invalid_field("agentInstructions", "must be absent for a site"));
    }
    Ok(())
}

/// Checks that the operator gives the GitHub App of a configuration to the organization, and that the repository is on
/// its host, since no other one gets a token.
///
/// # Errors
/// 400 otherwise.
fn check_app(
    app: Option<&GithubApp>,
    (organization, item): (OrganizationId, &GitInstallationRecord),
    repository: Option<&GitRepository>,
) -> ApiResult<()> {
    let Some(repository) = repository else { return Ok(()) };
    let given = repository.app_installation.set().copied();
    let kept = item.app_installation_id.filter(|_| {
        repository.app_installation.is_keep() && repository.secret.set().is_none() && repository.url.is_some()
    });
    if given.is_some() && item.provider != GitProvider::Github {
        return Err(ApiError::invalid_field(APP, "is for connections to GitHub"));
    }
    let Some(id) = given.or(kept) else { return Ok(()) };
    let app =
        app.ok_or_else(|| ApiError::invalid_field(APP, "needs a GitHub App, which this server has not"))?;
    if given.is_some() && !app.installations_of(organization).any(|found| found == id) {
        let message = "must be an installation that the operator of the server gives to the organization";
        return Err(ApiError::invalid_field(APP, message));
    }
    let url = repository.url.as_ref().or(item.url.as_ref());
    let origin = url.and_then(|url| Some(Address::parse(url).ok()?.origin()));
    match origin {
        Some(origin) if origin != app.origin() => {
            let message = format!("must be on the host of the GitHub App: {}", app.origin());
            Err(ApiError::invalid_field(URL, message))
        }
        _ => Ok(()),
    }
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
    let read = move |reader: &mut quire_storage::Reader<'_>| match reader.any_git_installation(id)? {
        FoundGitInstallation::Space(found) => {
            let found = found.authorize(Action::TriggerGitSync)?;
            let stored = found.item.url.is_some().then(|| reader.git_remote(&found)).transpose()?;
            Ok((found.space.organization, found.item.clone(), stored))
        }
        FoundGitInstallation::Site(found) => {
            let found = found.authorize(Action::TriggerGitSync)?;
            let stored = found.item.url.is_some().then(|| reader.site_git_remote(&found)).transpose()?;
            Ok((found.site.organization, found.item.clone(), stored))
        }
    };
    let (organization, item, stored) = api.state.read(caller, read).await?;
    let provider = item.provider;
    if provider != host {
        return Err(ApiError::invalid_field(field, "is of another provider than the connection"));
    }
    if configuration.url.is_some() {
        return Err(ApiError::invalid_field(URL, "must not be together with an id"));
    }
    let token = configuration.access_token.clone().into_text()?;
    let app = app_of(api, (organization, &item), configuration)?.filter(|_| token.set().is_none());
    let of_stored = stored.as_ref().and_then(|stored| Some(Address::parse(&stored.url).ok()?.origin()));
    let public = || match provider {
        GitProvider::Gitlab => "https://gitlab.com".to_owned(),
        _ => match (app, api.git.app()) {
            (Some(_), Some(app)) => app.origin(),
            _ => "https://github.com".to_owned(),
        },
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
    let account = match token {
        Patch::Set(token) => Some((String::new(), token)),
        Patch::Clear => None,
        // A stored token is sent to no other host.
        Patch::Keep => {
            stored.filter(|_| of_stored.as_ref() == Some(&origin)).and_then(|stored| stored.account)
        }
    };
    let remote = GitRemote { url: origin, account, app, reference: None, project_directory: String::new() };
    match api.git.clone_url(&remote, provider, number).await? {
        Some(url) => Ok(Some((url, number))),
        None => Err(ApiError::invalid_field(field, "is of no repository that the token gives access to")),
    }
}

/// Returns the installation of the GitHub App that a configuration uses.
///
/// # Errors
/// As of [`check_app`].
fn app_of(
    api: &Api,
    (organization, item): (OrganizationId, &GitInstallationRecord),
    configuration: &GitConfigurationUpdate,
) -> ApiResult<Option<GitAppInstallation>> {
    let app_installation = configuration.app_installation_id;
    let named = GitRepository { app_installation, ..GitRepository::default() };
    let without_url = GitInstallationRecord { url: None, ..item.clone() };
    check_app(api.git.app(), (organization, &without_url), Some(&named))?;
    let id = app_installation.apply(item.app_installation_id);
    Ok(id.map(|id| GitAppInstallation { organization, id }))
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
    let Some(update) = update else { return Ok(None) };
    let GitConfigurationUpdate { url, username, access_token, app_installation_id, branch, .. } = update;
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
    let (secret, app_installation) = (access_token.into_text()?, app_installation_id);
    if secret.set().is_some() && app_installation.set().is_some() {
        return Err(ApiError::invalid_field(APP, "must not be together with `accessToken`"));
    }
    Ok(Some(GitRepository { url, repository_id, username, secret, app_installation, reference }))
}

async fn uninstall_git_sync_installation(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| match tx.any_git_installation(id)? {
            FoundGitInstallation::Space(found) => {
                let installation = found.authorize(Action::TriggerGitSync)?;
                Ok(tx.delete_git_installation(&installation)?)
            }
            FoundGitInstallation::Site(found) => {
                let installation = found.authorize(Action::TriggerGitSync)?;
                Ok(tx.delete_site_git_installation(&installation)?)
            }
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
        .transact(caller, move |tx| match tx.any_git_installation(id)? {
            FoundGitInstallation::Space(found) => {
                let installation = found.authorize(Action::TriggerGitSync)?;
                Ok(tx.request_git_sync(&installation)?)
            }
            FoundGitInstallation::Site(found) => {
                let installation = found.authorize(Action::TriggerGitSync)?;
                Ok(tx.request_site_git_sync(&installation)?)
            }
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
        .read(caller, move |reader| match reader.any_git_installation(id)? {
            FoundGitInstallation::Space(found) => {
                let installation = found.authorize(Action::ViewImports)?;
                let slice = reader.git_operations(&installation, after, limit)?;
                slice.try_map(|record| Ok(present::git_operation(record)))
            }
            FoundGitInstallation::Site(found) => {
                let installation = found.authorize(Action::ViewImports)?;
                let slice = reader.site_git_operations(&installation, after, limit)?;
                slice.try_map(|record| Ok(present::site_git_operation(record)))
            }
        })
        .await?;
    list.respond(&request, slice, |entry| entry.id, Ok)
}

async fn get_git_sync_operation_by_id(
    Caller(caller): Caller,
    Path((id, operation)): Path<(GitInstallationId, GitOperationId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let entry = state
        .read(caller, move |reader| match reader.any_git_installation(id)? {
            FoundGitInstallation::Space(found) => {
                let installation = found.authorize(Action::ViewImports)?;
                Ok(present::git_operation(reader.git_operation_of(&installation, operation)?))
            }
            FoundGitInstallation::Site(found) => {
                let installation = found.authorize(Action::ViewImports)?;
                Ok(present::site_git_operation(reader.site_git_operation_of(&installation, operation)?))
            }
        })
        .await?;
    respond::ok(&request, &entry)
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
        .transact(caller, move |tx| match tx.any_git_installation(id)? {
            FoundGitInstallation::Space(found) => {
                let installation = found.authorize(Action::TriggerGitSync)?;
                Ok(tx.rotate_git_hook_secret(&installation)?)
            }
            FoundGitInstallation::Site(found) => {
                let installation = found.authorize(Action::TriggerGitSync)?;
                Ok(tx.rotate_site_git_hook_secret(&installation)?)
            }
        })
        .await?;
    respond::changed(&GitHook { url, secret })
}
