//! Imports from and exports to Git repositories, and connections to them.

pub mod hooks;
pub mod installations;
pub mod repositories;
mod request;
mod setup;

use quire_content::git::{ExportCommit, NewExport};
use quire_domain::git::{GitDirection, GitExportRequest, GitImportRequest, GitSyncState};
use quire_storage::Error;

use crate::prelude::*;
use crate::v1::git::request::{Named, Started, accepted, start};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post(
            Tag::Spaces.at("/v1/spaces/{spaceId}/git/import", Some(Object::Space)),
            Needs(Action::TriggerGitSync),
            "Import a Git repository",
            import_git_repository,
        )
        .body::<GitImportRequest>()
        .answers_nothing(),
        Route::post(
            Tag::Spaces.at("/v1/spaces/{spaceId}/git/export", Some(Object::Space)),
            Needs(Action::TriggerGitSync),
            "Export to a Git repository",
            export_to_git_repository,
        )
        .body::<GitExportRequest>()
        .answers_nothing(),
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/git/info", Some(Object::Space)),
            Needs(Action::ViewSpace),
            "Get the state of a space's Git synchronization",
            get_space_git_info,
        )
        .answers::<GitSyncState>(200),
    ]
}

async fn import_git_repository(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Json(body): Json<GitImportRequest>,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let named = Named {
        url: body.url.into_text()?,
        reference: body.reference.map(|reference| reference.into_text()).transpose()?,
        project_directory: body.repo_project_directory.map(|path| path.into_text()).transpose()?,
        tree_url: body.repo_tree_url.map(|url| url.into_text()).transpose()?,
        info: body.git_info,
        force: body.force.unwrap_or_default(),
        standalone: body.standalone.unwrap_or_default(),
    };
    let Started { run, permit, .. } = start(&api, caller, space, GitDirection::Import, named).await?;
    let (runs, standalone) = (Arc::clone(&api), run.standalone);
    actix_web::rt::spawn(async move { runs.git.import(&*runs, run, permit).await });
    Ok(accepted(&api, space, standalone))
}

async fn export_to_git_repository(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Json(body): Json<GitExportRequest>,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let message = body.commit_message.into_text()?;
    let named = Named {
        url: body.url.into_text()?,
        reference: body.reference.map(|reference| reference.into_text()).transpose()?,
        project_directory: body.repo_project_directory.map(|path| path.into_text()).transpose()?,
        tree_url: body.repo_tree_url.map(|url| url.into_text()).transpose()?,
        info: body.git_info,
        force: body.force.unwrap_or_default(),
        standalone: body.standalone.unwrap_or_default(),
    };
    let time = body.timestamp.unwrap_or_else(|| api.state.storage.clock().now());
    let Started { run, permit, user } = start(&api, caller, space, GitDirection::Export, named).await?;
    let last = ExportCommit {
        message,
        seconds: time.millis().div_euclid(1_000),
        author: user,
        co_authors: Vec::new(),
        is_signed_off: false,
    };
    let new = NewExport { earlier: Vec::new(), last, proposes: None };
    let runs = Arc::clone(&api);
    actix_web::rt::spawn(async move { runs.git.export(&*runs, run, new, permit).await });
    Ok(accepted(&api, space, None))
}

async fn get_space_git_info(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let (time_limit, urls) = (api.git.time_limit(), api.state.urls.clone());
    let state = api
        .state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewSpace)?;
            let (installation, last) = (reader.git_installation_of(&space)?, reader.git_sync(&space)?);
            Ok(present::git_sync(&urls, space.id, installation, last, time_limit))
        })
        .await?;
    respond::ok(&request, &state.ok_or(Error::NotFound)?)
}
