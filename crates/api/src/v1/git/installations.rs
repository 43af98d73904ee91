//! Connections of spaces and sites to Git repositories.

use quire_domain::git::GitProvider;
use quire_domain::git_installations::{
    GitComparison, GitHook, GitInstallation, GitInstallationCreate, GitInstallationUpdate, GitOperationEntry,
    GitPreviews, GitTarget, GitTargetType, SiteGitInstallations,
};
use quire_domain::ids::{GitOperationId, OrganizationId};
use quire_storage::content::git_sites::FoundGitInstallation;

use super::setup::update_git_sync_installation_by_id;
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
/// 400 without the id for the type, or for a space with a site id.
fn target_of(target: &GitTarget) -> ApiResult<Connected> {
    let required = |field: &str| ApiError::invalid_field(field, "is required");
    match (target.kind, target.space_id, target.site_id) {
        (GitTargetType::Space, _, Some(_)) => Err(ApiError::invalid_field(
            "target.siteId",
            "must be absent for a space: connect the spaces of a site with its `childInstallationProjectDirectories`",
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
