//! Git.

use quire_domain::git::{GitExportRequest, GitImportRequest, GitSyncState};
use quire_domain::git_installations::{
    GitComparison, GitHook, GitHookQuery, GitInstallation, GitInstallationCreate, GitInstallationUpdate,
    GitOperationEntry, SiteGitInstallations,
};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::route::Access::{Needs, Public};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1::git::{export, hooks, import, info, installations};

const ONE: Resource =
    Tag::Spaces.at("/v1/git/installations/{gitInstallationId}", Some(Object::GitInstallation));

pub(super) fn routes() -> Vec<Route> {
    let mut routes = runs();
    routes.extend(connections());
    routes.extend(webhooks());
    routes
}

fn connections() -> Vec<Route> {
    let access = || Needs(Action::TriggerGitSync);
    let view = || Needs(Action::ViewImports);
    vec![
        Route::post(
            Tag::Spaces.at("/v1/git/installations", None),
            "installGitSyncProviderOnTarget",
            access(),
            "Connect a space to a Git repository",
            installations::create::install_git_sync_provider_on_target,
        )
        .body::<GitInstallationCreate>()
        .answers::<GitInstallation>(201),
        Route::get(
            Tag::Sites
                .at("/v1/orgs/{organizationId}/sites/{siteId}/spaces/git/installations", Some(Object::Site)),
            "listSiteGitSyncInstallations",
            Needs(Action::ViewOrganizationContent),
            "List the Git connections of a site's spaces",
            installations::of_site::list_site_git_sync_installations,
        )
        .answers::<SiteGitInstallations>(200),
        Route::get(
            ONE,
            "getGitSyncInstallationById",
            view(),
            "Get a connection to a Git repository",
            installations::get::get_git_sync_installation_by_id,
        )
        .answers::<GitInstallation>(200),
        Route::patch(
            ONE,
            "updateGitSyncInstallationById",
            access(),
            "Update a connection to a Git repository",
            installations::update::update_git_sync_installation_by_id,
        )
        .body::<GitInstallationUpdate>()
        .answers::<GitInstallation>(200),
        Route::delete(
            ONE,
            "uninstallGitSyncInstallation",
            access(),
            "Disconnect a space from its Git repository",
            installations::delete::uninstall_git_sync_installation,
        )
        .resets(),
        Route::get(
            Tag::Spaces
                .at("/v1/git/installations/{gitInstallationId}/comparison", Some(Object::GitInstallation)),
            "compareGitSyncInstallation",
            view(),
            "Compare a space with its Git repository",
            installations::comparison::compare_git_sync_installation,
        )
        .answers::<GitComparison>(200),
        Route::post(
            Tag::Spaces.at("/v1/git/installations/{gitInstallationId}/sync", Some(Object::GitInstallation)),
            "syncGitSyncInstallation",
            access(),
            "Synchronize with a Git repository now",
            installations::sync::sync_git_sync_installation,
        )
        .answers_nothing(),
        Route::get(
            Tag::Spaces
                .at("/v1/git/installations/{gitInstallationId}/operations", Some(Object::GitInstallation)),
            "listGitSyncOperations",
            view(),
            "List the synchronizations with a Git repository",
            installations::operations::list_git_sync_operations,
        )
        .query::<PageQuery>()
        .lists::<GitOperationEntry>(),
    ]
}

fn webhooks() -> Vec<Route> {
    vec![
        Route::post(
            Tag::Spaces.at(
                "/v1/git/installations/{gitInstallationId}/rotate-hook-secret",
                Some(Object::GitInstallation),
            ),
            "rotateGitSyncHookSecret",
            Needs(Action::TriggerGitSync),
            "Rotate the secret of a repository's webhook",
            installations::hook_secret::rotate_git_sync_hook_secret,
        )
        .answers::<GitHook>(200),
        Route::post(
            Tag::Spaces.at("/v1/git/hooks/{gitInstallationId}", None),
            "receiveGitHook",
            Public,
            "Report a change of a Git repository",
            hooks::receive_git_hook,
        )
        .query::<GitHookQuery>()
        .body_media("application/json")
        .accepts()
        .unaudited("the synchronization has its own log"),
    ]
}

fn runs() -> Vec<Route> {
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
