//! Common code of imports and exports: the parsed request, and the start of its run.

use quire_content::git::GitRun;
use quire_domain::git::{GitDirection, GitInfo, GitProvider};
use quire_git::Address;
use quire_storage::content::git_syncs::NewGitSync;
use tokio::sync::OwnedSemaphorePermit;

use crate::prelude::*;

/// Host names of providers.
const HOSTS: [(&str, GitProvider); 2] =
    [("github.com", GitProvider::Github), ("gitlab.com", GitProvider::Gitlab)];

/// Repository, branch and folder of a request.
pub(super) struct Named {
    pub(super) url: String,
    pub(super) reference: Option<String>,
    pub(super) project_directory: Option<String>,
    pub(super) tree_url: Option<String>,
    pub(super) info: Option<GitInfo>,
    pub(super) force: bool,
    pub(super) standalone: bool,
}

/// Started run.
pub(super) struct Started {
    pub(super) run: GitRun,
    pub(super) permit: OwnedSemaphorePermit,
    /// Name and e-mail address of the user.
    pub(super) user: Option<(String, String)>,
}

/// Starts a run, which continues in the background.
///
/// # Errors
/// 400 for invalid input, 409 while another run of the space is running, 503 if too many are waiting on this node.
pub(super) async fn start(
    api: &Api,
    caller: Credentials,
    space: SpaceId,
    direction: GitDirection,
    named: Named,
) -> ApiResult<Started> {
    let Named { url, reference, project_directory, tree_url, info, force, standalone } = named;
    if standalone && direction == GitDirection::Export {
        return Err(ApiError::invalid_field("standalone", "must not be true for an export"));
    }
    let address = Address::parse(&url).map_err(|error| ApiError::invalid_field("url", error.to_string()))?;
    if !address.is_allowed_by(&api.imports.fetcher) {
        return Err(ApiError::invalid_field("url", "must begin with `https://`"));
    }
    let folder = folder(project_directory.as_deref().unwrap_or_default(), "repoProjectDirectory")?;
    let by_host = || {
        let host = address.url().host_str().unwrap_or_default();
        HOSTS.iter().find(|(name, _)| *name == host).map_or(GitProvider::Git, |(_, provider)| *provider)
    };
    let provider = match info.as_ref().and_then(|info| info.provider) {
        Some(GitProvider::GithubLegacy) => GitProvider::Github,
        Some(provider) => provider,
        None => by_host(),
    };
    let info_url = info.and_then(|info| info.url).map(|url| url.into_text()).transpose()?;
    let new = NewGitSync {
        direction,
        url: address.to_string(),
        reference: reference.clone(),
        project_directory: folder.clone(),
        provider,
        tree_url: tree_url.or(info_url),
        time_limit: api.git.time_limit(),
        is_standalone: standalone,
        installation: None,
    };
    let permit = api.git.begin()?;
    let (sync, user) = api
        .state
        .transact(caller, move |tx| {
            let space = tx.space(space)?.authorize(Action::TriggerGitSync)?;
            let user = tx.user(space.actor().user)?;
            let name = user.display_name().map(str::to_owned);
            let user = name.zip(user.email().map(str::to_owned));
            Ok((tx.start_git_sync(&space, new)?, user))
        })
        .await?;
    let standalone = standalone.then(|| RevisionId::from_uuid(api.state.storage.ids().uuid()));
    let run = GitRun {
        credentials: caller,
        sync,
        address,
        reference,
        folder,
        force,
        follows: false,
        keeps_edits: false,
        standalone,
        agents: Vec::new(),
        connection: None,
        repository: None,
    };
    Ok(Started { run, permit, user })
}

/// Returns 204 with the URL of the state, or of the revision that a standalone import will make.
pub(super) fn accepted(api: &Api, space: SpaceId, standalone: Option<RevisionId>) -> HttpResponse {
    let location = match standalone {
        None => api.state.urls.api(format_args!("spaces/{space}/git/info")),
        Some(revision) => api.state.urls.api(format_args!("spaces/{space}/revisions/{revision}")),
    };
    HttpResponse::NoContent().insert_header((header::LOCATION, location)).finish()
}

/// Returns a folder with a slash at its end; empty for the whole repository.
pub(super) fn folder(text: &str, field: &str) -> ApiResult<String> {
    let mut folder = String::new();
    for segment in text.split('/').filter(|segment| !matches!(*segment, "" | ".")) {
        if segment == ".." || segment.contains('\\') {
            return Err(ApiError::invalid_field(field, "must be the path of a folder in the repository"));
        }
        folder.push_str(segment);
        folder.push('/');
    }
    Ok(folder)
}
