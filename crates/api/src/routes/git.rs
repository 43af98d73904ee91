//! Git.

use quire_domain::git::{GitExportRequest, GitImportRequest, GitSyncState};
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::{Object, Route, Tag};
use crate::v1::git::{export, import, info};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(
            Tag::Spaces.at("/v1/spaces/{spaceId}/git/import", Some(Object::Space)),
            "importGitRepository",
            Needs(Action::TriggerGitSync),
            "Import a Git repository",
            import::import_git_repository,
        )
        .body::<GitImportRequest>()
        .answers_nothing(),
        Route::post(
            Tag::Spaces.at("/v1/spaces/{spaceId}/git/export", Some(Object::Space)),
            "exportToGitRepository",
            Needs(Action::TriggerGitSync),
            "Export to a Git repository",
            export::export_to_git_repository,
        )
        .body::<GitExportRequest>()
        .answers_nothing(),
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/git/info", Some(Object::Space)),
            "getSpaceGitInfo",
            Needs(Action::ViewSpace),
            "Get the state of a space's Git synchronization",
            info::get_space_git_info,
        )
        .answers::<GitSyncState>(200),
    ]
}
