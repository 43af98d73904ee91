//! Repositories of the host of a connection that its token gives access to.

use quire_content::git::HostedRepository;
use quire_domain::git::GitProvider;
use quire_domain::git_hosts::{GitBranches, GitFile, GitFileQuery, GitRepositories};
use quire_storage::Error;
use quire_storage::content::git_installations::GitRemote;
use quire_storage::content::git_sites::FoundGitInstallation;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    let at = |path: &'static str| Tag::Spaces.at(path, Some(Object::GitInstallation));
    let access = || Needs(Action::ViewGitHost);
    vec![
        Route::get(
            at("/v1/git/installations/{gitInstallationId}/branches"),
            access(),
            "List the branches of a connected repository",
            list_git_sync_installation_branches,
        )
        .answers::<GitBranches>(200)
        .reads_may_conflict()
        .calls_other_server(),
        Route::get(
            at("/v1/git/installations/{gitInstallationId}/github/repos"),
            access(),
            "List the repositories of a GitHub token",
            list_git_hub_repositories_for_git_sync_installation,
        )
        .answers::<GitRepositories>(200)
        .reads_may_conflict()
        .calls_other_server(),
        Route::get(
            at("/v1/git/installations/{gitInstallationId}/github/repos/{accountName}/{repositoryName}/branches"),
            access(),
            "List the branches of a GitHub repository",
            list_git_hub_repo_branches_for_git_sync_installation,
        )
        .answers::<GitBranches>(200)
        .reads_may_conflict()
        .calls_other_server(),
        Route::get(
            at("/v1/git/installations/{gitInstallationId}/github/repos/{accountName}/{repositoryName}/file"),
            access(),
            "Get a file of a GitHub repository",
            get_git_hub_repo_file_for_git_sync_installation,
        )
        .query::<GitFileQuery>()
        .answers::<GitFile>(200)
        .reads_may_conflict()
        .calls_other_server(),
        Route::get(
            at("/v1/git/installations/{gitInstallationId}/gitlab/projects"),
            access(),
            "List the projects of a GitLab token",
            list_git_lab_projects_for_git_sync_installation,
        )
        .answers::<GitRepositories>(200)
        .reads_may_conflict()
        .calls_other_server(),
        Route::get(
            at("/v1/git/installations/{gitInstallationId}/gitlab/projects/{projectId}/branches"),
            access(),
            "List the branches of a GitLab project",
            list_git_lab_project_branches_for_git_sync_installation,
        )
        .answers::<GitBranches>(200)
        .reads_may_conflict()
        .calls_other_server(),
        Route::get(
            at("/v1/git/installations/{gitInstallationId}/gitlab/projects/{projectId}/file"),
            access(),
            "Get a file of a GitLab project",
            get_git_lab_project_file_for_git_sync_installation,
        )
        .query::<GitFileQuery>()
        .answers::<GitFile>(200)
        .reads_may_conflict()
        .calls_other_server(),
    ]
}

/// Returns the repository of a connection with its credentials.
///
/// # Errors
/// 409 for a connection without a repository, 404 for one with another provider.
async fn remote(
    api: &Api,
    caller: Credentials,
    id: GitInstallationId,
    provider: Option<GitProvider>,
) -> ApiResult<GitRemote> {
    let read = move |reader: &mut quire_storage::Reader<'_>| {
        let (remote, of) = match reader.any_git_installation(id)? {
            FoundGitInstallation::Space(found) => {
                let installation = found.authorize(Action::ViewGitHost)?;
                (reader.git_remote(&installation)?, installation.item.provider)
            }
            FoundGitInstallation::Site(found) => {
                let installation = found.authorize(Action::ViewGitHost)?;
                (reader.site_git_remote(&installation)?, installation.item.provider)
            }
        };
        match provider.is_none_or(|provider| provider == of) {
            true => Ok(remote),
            false => Err(Error::NotFound.into()),
        }
    };
    api.state.read(caller, read).await
}

async fn list_git_sync_installation_branches(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let remote = remote(&api, caller, id, None).await?;
    respond::ok(&request, &GitBranches { items: api.git.branches(&remote).await? })
}

async fn list_git_hub_repositories_for_git_sync_installation(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    list_repositories(&api, caller, id, &request, GitProvider::Github).await
}

async fn list_git_lab_projects_for_git_sync_installation(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    list_repositories(&api, caller, id, &request, GitProvider::Gitlab).await
}

async fn list_repositories(
    api: &Api,
    caller: Credentials,
    id: GitInstallationId,
    request: &HttpRequest,
    provider: GitProvider,
) -> ApiResult<HttpResponse> {
    let remote = remote(api, caller, id, Some(provider)).await?;
    respond::ok(request, &GitRepositories { items: api.git.repositories(&remote, provider).await? })
}

async fn list_git_hub_repo_branches_for_git_sync_installation(
    Caller(caller): Caller,
    Path((id, account, name)): Path<(GitInstallationId, String, String)>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let remote = remote(&api, caller, id, Some(GitProvider::Github)).await?;
    let repository = HostedRepository::Github { account, name };
    respond::ok(&request, &GitBranches { items: api.git.branches_of(&remote, &repository).await? })
}

async fn list_git_lab_project_branches_for_git_sync_installation(
    Caller(caller): Caller,
    Path((id, project)): Path<(GitInstallationId, u64)>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let remote = remote(&api, caller, id, Some(GitProvider::Gitlab)).await?;
    let repository = HostedRepository::Gitlab { project };
    respond::ok(&request, &GitBranches { items: api.git.branches_of(&remote, &repository).await? })
}

async fn get_git_hub_repo_file_for_git_sync_installation(
    Caller(caller): Caller,
    Path((id, account, name)): Path<(GitInstallationId, String, String)>,
    Query(query): Query<GitFileQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let remote = remote(&api, caller, id, Some(GitProvider::Github)).await?;
    get_file(&api, &remote, &HostedRepository::Github { account, name }, query, &request).await
}

async fn get_git_lab_project_file_for_git_sync_installation(
    Caller(caller): Caller,
    Path((id, project)): Path<(GitInstallationId, u64)>,
    Query(query): Query<GitFileQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let remote = remote(&api, caller, id, Some(GitProvider::Gitlab)).await?;
    get_file(&api, &remote, &HostedRepository::Gitlab { project }, query, &request).await
}

async fn get_file(
    api: &Api,
    remote: &GitRemote,
    repository: &HostedRepository,
    query: GitFileQuery,
    request: &HttpRequest,
) -> ApiResult<HttpResponse> {
    let (path, reference) = (query.path.into_text()?, query.reference.into_text()?);
    respond::ok(request, &api.git.file_of(remote, repository, (&path, &reference)).await?)
}
