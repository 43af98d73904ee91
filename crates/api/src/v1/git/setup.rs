//! Changes of connections: the repository, the credentials, and the side with priority.

use std::collections::BTreeMap;

use quire_content::git::GithubApp;
use quire_domain::git::GitProvider;
use quire_domain::git_installations::{GitConfigurationUpdate, GitInstallationUpdate, GitPriority};
use quire_domain::ids::OrganizationId;
use quire_domain::texts::GitText;
use quire_git::Address;
use quire_storage::content::git_installations::{
    GitAppInstallation, GitInstallationRecord, GitRemote, GitRepository, GitSetup,
};
use quire_storage::content::git_sites::FoundGitInstallation;
use uuid::Uuid;

use super::request::folder;
use crate::prelude::*;

/// Field with the URL.
const URL: &str = "providerConfiguration.url";
/// Field with the project id.
const PROJECT: &str = "providerConfiguration.projectId";
/// Field with the folders of a site's spaces.
const DIRECTORIES: &str = "childInstallationProjectDirectories";
/// Field with the installation of the GitHub App.
const APP: &str = "providerConfiguration.appInstallationId";
/// Field with the URL of a GitLab instance.
const INSTANCE: &str = "providerConfiguration.customInstanceURL";

pub(super) async fn update_git_sync_installation_by_id(
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
        sign_off,
        default_merge_authority_policy: authority,
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
            sign_off,
            authority,
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
                check_app(app.as_ref(), (found.site.organization, &found.item), setup.repository.as_ref())?;
                let installation = tx.update_site_git_installation(&found, setup, directories)?;
                Ok(present::site_git_installation(&urls, &installation))
            }
        })
        .await?;
    respond::changed(&installation)
}

/// Parses the folders of spaces, by the ids of the spaces or of their connections.
///
/// # Errors
/// 400 for a malformed id or folder.
fn folders(directories: BTreeMap<String, GitText>) -> ApiResult<BTreeMap<Uuid, String>> {
    let folders = directories.into_iter().map(|(id, path)| {
        let field = format!("{DIRECTORIES}.{id}");
        let id = Uuid::parse_str(&id).map_err(|_| ApiError::invalid_field(&field, "must be an id"))?;
        let path = path.into_text()?;
        Ok((id, folder(&path, &field)?))
    });
    folders.collect()
}

/// Checks that the repository of a site's connection has a site file. Connections of spaces always pass.
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
        Ok(Some((found.site.organization, found.item.clone(), stored)))
    };
    let Some((organization, item, stored)) = api.state.read(caller, read).await? else { return Ok(()) };
    let is_another = repository.url.is_some() && repository.url != item.url;
    let Some(url) = repository.url.or(item.url) else { return Ok(()) };
    let is_by_app = repository.app_installation.set().is_some();
    let app = repository.app_installation.apply(item.app_installation_id);
    let app = app.filter(|_| repository.secret.set().is_none());
    let (username, secret) = stored.and_then(|stored| stored.account).unzip();
    let username = repository.username.apply(username).unwrap_or_default();
    // A stored token is never sent to another repository.
    let secret = repository.secret.apply(secret.filter(|_| !is_another && !is_by_app));
    let remote = GitRemote {
        url,
        account: secret.map(|secret| (username, secret)),
        app: app.map(|id| GitAppInstallation { organization, id }),
        reference: repository.reference.apply(item.reference),
        project_directory: folder.unwrap_or(item.project_directory),
    };
    Ok(api.git.require_site_file(remote).await?)
}

/// Checks that the operator has assigned the installation of the GitHub App to the organization, and that the
/// repository is on the app's host: no other host gets a token.
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
        return Err(ApiError::invalid_field(APP, "is only allowed for connections to GitHub"));
    }
    let Some(id) = given.or(kept) else { return Ok(()) };
    let app = app.ok_or_else(|| {
        ApiError::invalid_field(APP, "requires a GitHub App, which is not set up on this server")
    })?;
    if given.is_some() && !app.installations_of(organization).any(|found| found == id) {
        let message = "must be an installation that the server's operator has assigned to the organization";
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

/// Returns the URL and the id of the repository that a configuration names by id.
///
/// # Errors
/// 400 for an id of another provider, an id together with a URL, or a repository that the token gives no access to.
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
            return Err(ApiError::invalid_field(PROJECT, "must not be set together with `repositoryId`"));
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
        return Err(ApiError::invalid_field(field, "must be of the same provider as the connection"));
    }
    if configuration.url.is_some() {
        return Err(ApiError::invalid_field(URL, "must not be set together with an id"));
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
            if address.has_account() || !address.is_allowed_by(&api.imports.fetcher) {
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
        // A stored token is never sent to another host.
        Patch::Keep => {
            stored.filter(|_| of_stored.as_ref() == Some(&origin)).and_then(|stored| stored.account)
        }
    };
    let remote = GitRemote { url: origin, account, app, reference: None, project_directory: String::new() };
    match api.git.clone_url(&remote, provider, number).await? {
        Some(url) => Ok(Some((url, number))),
        None => {
            Err(ApiError::invalid_field(field, "must be the id of a repository that the token can access"))
        }
    }
}

/// Returns the installation of the GitHub App that a configuration uses.
///
/// # Errors
/// The errors of [`check_app`].
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

/// Returns the change of the repository.
///
/// # Errors
/// 400 for a URL that is not a repository URL, or has credentials.
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
            if !address.is_allowed_by(&api.imports.fetcher) {
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
        return Err(ApiError::invalid_field(APP, "must not be set together with `accessToken`"));
    }
    Ok(Some(GitRepository { url, repository_id, username, secret, app_installation, reference }))
}
