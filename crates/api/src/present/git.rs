//! Synchronization with Git repositories.

use std::time::Duration;

use quire_domain::git::{
    GitErrorAction, GitInstallationStatus, GitOperation, GitOperationState, GitProvider, GitSyncState,
};
use quire_domain::git_installations::{
    GitCapabilities, GitConfiguration, GitInstallation, GitInstallationUrls, GitOperationEntry, GitPreview,
    GitPreviewFacts, GitPreviewUrls, GitReferenceType, GitRepositoryConnection, GitRepositoryRef,
    GitSyncRoot, GitSyncRootStatus, GitTarget, GitTargetType,
};
use quire_domain::ids::{GitInstallationId, SpaceId};
use quire_domain::object::{
    GitInstallationTag, GitOperationTag, GitPreviewTag, GitRepositoryConnectionTag, GitRepositoryRefTag,
    GitSyncRootTag,
};
use quire_git::Address;
use quire_storage::content::change_requests::InSpace;
use quire_storage::content::git_installations::{GitInstallationRecord, GitOperationRecord, ShownGitSync};
use quire_storage::content::git_sites::InSite;
use quire_storage::content::git_syncs::GitSyncRecord;
use quire_storage::sites::SiteRecord;

use crate::urls::Urls;

/// URL of the public GitLab.
const GITLAB: &str = "https://gitlab.com";

/// Returns the synchronization state of a space: that of its connection, or of its last run by request; `None` without
/// either.
#[must_use]
pub fn git_sync(
    urls: &Urls,
    space: SpaceId,
    installation: Option<GitInstallationRecord>,
    last: Option<GitSyncRecord>,
    time_limit: Duration,
) -> Option<GitSyncState> {
    let connected = installation.as_ref().filter(|installation| installation.url.is_some());
    let (provider, url, tree) = match (connected, &last, &installation) {
        // A connection without a repository does not hide the last run by request.
        (None, Some(last), _) => (last.provider, Some(last.url.as_str()), last.tree_url.clone()),
        (_, _, Some(found)) => {
            let GitInstallationRecord { provider, url, reference, project_directory, .. } = found;
            let url = url.as_deref();
            (*provider, url, tree_url(*provider, url, reference.as_deref(), project_directory))
        }
        _ => return None,
    };
    let ran_at = last.as_ref().map(|last| last.ended_at.unwrap_or(last.started_at));
    Some(GitSyncState {
        repo_name: url.and_then(repository_name),
        installation_status: last.as_ref().map_or(GitInstallationStatus::Pending, GitSyncRecord::status),
        installation_provider: provider,
        integration: provider,
        installation_id: installation
            .as_ref()
            .map_or(GitInstallationId::from_uuid(*space.as_uuid()), |installation| installation.id),
        parent_installation_id: installation.as_ref().and_then(|installation| installation.parent),
        url: tree,
        updated_at: ran_at.or(installation.as_ref().map(|installation| installation.updated_at)),
        operation: last.clone().map(|last| shown_operation(settings_of(urls, space), last.into_operation())),
        operation_timeout: u64::try_from(time_limit.as_millis()).ok(),
    })
}

/// Returns the state of a connection as its space shows it.
pub(super) fn shown_git_sync(urls: &Urls, space: SpaceId, shown: &ShownGitSync) -> GitSyncState {
    shown_state(shown, || settings_of(urls, space))
}

/// Returns the state of a connection as its site shows it.
pub(super) fn shown_site_git_sync(urls: &Urls, site: &SiteRecord, shown: &ShownGitSync) -> GitSyncState {
    shown_state(shown, || settings_of_site(urls, site))
}

fn shown_state(shown: &ShownGitSync, settings: impl FnOnce() -> String) -> GitSyncState {
    GitSyncState {
        repo_name: shown.url.as_deref().and_then(repository_name),
        installation_status: shown.status,
        installation_provider: shown.provider,
        installation_id: shown.installation,
        parent_installation_id: shown.parent,
        integration: shown.provider,
        url: tree_url(
            shown.provider,
            shown.url.as_deref(),
            shown.reference.as_deref(),
            &shown.project_directory,
        ),
        operation: shown.operation.clone().map(|last| shown_operation(settings(), last)),
        operation_timeout: None,
        updated_at: Some(shown.updated_at),
    }
}

/// Returns the URL of the Git settings of a space.
fn settings_of(urls: &Urls, space: SpaceId) -> String {
    urls.app(format_args!("s/{space}/~/git"))
}

/// Returns the URL of the Git settings of a site.
fn settings_of_site(urls: &Urls, site: &SiteRecord) -> String {
    urls.app(format_args!("o/{}/sites/{}/git", site.organization, site.id))
}

/// Returns an operation. A failed one links to the settings.
fn shown_operation(settings: String, operation: GitOperation) -> GitOperation {
    let has_failed = matches!(operation.state, GitOperationState::Failure | GitOperationState::Timeout);
    let error_action =
        has_failed.then(|| GitErrorAction { label: "Open the Git settings".to_owned(), url: settings });
    GitOperation { error_action, ..operation }
}

fn repository_name(url: &str) -> Option<String> {
    let address = Address::parse(url).ok()?;
    Some(address.name().to_owned()).filter(|name| !name.is_empty())
}

fn tree_url(
    provider: GitProvider,
    url: Option<&str>,
    reference: Option<&str>,
    folder: &str,
) -> Option<String> {
    provider.tree_url(url?, reference, folder.trim_end_matches('/'))
}

/// Returns the connection of a space, with its last run.
#[must_use]
pub fn git_installation(
    urls: &Urls,
    installation: &InSpace<GitInstallationRecord>,
    last: Option<GitSyncRecord>,
) -> GitInstallation {
    let status = last.as_ref().map_or(GitInstallationStatus::Pending, GitSyncRecord::status);
    let is_same = |last: &&GitSyncRecord| {
        installation.item.url.as_ref() == Some(&last.url) && installation.item.reference == last.reference
    };
    let commit = last.as_ref().filter(is_same).and_then(|last| last.commit.clone());
    in_space(urls, installation, status, (commit, last.map(GitSyncRecord::into_operation)))
}

/// Returns the connection of a space, with the last synchronization that ended, as the space shows it.
#[must_use]
pub fn listed_git_installation(
    urls: &Urls,
    installation: &InSpace<GitInstallationRecord>,
) -> GitInstallation {
    let shown = installation.space.git_sync.as_ref();
    let status = shown.map_or(GitInstallationStatus::Pending, |shown| shown.status);
    in_space(urls, installation, status, (None, shown.and_then(|shown| shown.operation.clone())))
}

/// Returns the connection of a site, with the last synchronization that ended.
#[must_use]
pub fn site_git_installation(urls: &Urls, installation: &InSite<GitInstallationRecord>) -> GitInstallation {
    let InSite { site, item } = installation;
    let shown = site.git_sync.as_ref().filter(|shown| shown.installation == item.id);
    let status = shown.map_or(GitInstallationStatus::Pending, |shown| shown.status);
    let operation = shown.and_then(|shown| shown.operation.clone());
    let operation = operation.map(|last| shown_operation(settings_of_site(urls, site), last));
    let target = GitTarget { kind: GitTargetType::Site, space_id: None, site_id: Some(site.id) };
    installation_with(urls, item, (target, status), (None, operation))
}

fn in_space(
    urls: &Urls,
    InSpace { space, item }: &InSpace<GitInstallationRecord>,
    status: GitInstallationStatus,
    (commit, operation): (Option<String>, Option<GitOperation>),
) -> GitInstallation {
    let operation = operation.map(|last| shown_operation(settings_of(urls, space.id), last));
    let target = GitTarget { kind: GitTargetType::Space, space_id: Some(space.id), site_id: None };
    installation_with(urls, item, (target, status), (commit, operation))
}

fn installation_with(
    urls: &Urls,
    item: &GitInstallationRecord,
    (target, status): (GitTarget, GitInstallationStatus),
    (commit, operation): (Option<String>, Option<GitOperation>),
) -> GitInstallation {
    let GitInstallationRecord { id, url, username, has_secret, reference, repository_id, .. } = item.clone();
    let (is_github, is_gitlab) = (item.provider == GitProvider::Github, item.provider == GitProvider::Gitlab);
    let custom_instance_url = url.as_deref().filter(|_| is_gitlab).and_then(custom_instance);
    GitInstallation {
        object: GitInstallationTag::Tag,
        id,
        parent_installation_id: item.parent,
        target,
        status,
        provider: item.provider,
        provider_configuration: GitConfiguration {
            url,
            repository_id: repository_id.filter(|_| is_github),
            project_id: repository_id.filter(|_| is_gitlab),
            custom_instance_url,
            username,
            branch: reference,
            app_installation_id: item.app_installation_id,
            has_access_token: has_secret,
        },
        project_directory: item.project_directory.strip_suffix('/').map(str::to_owned),
        commit_message_template: item.commit_message_template.clone(),
        sign_off: item.sign_off,
        default_merge_authority_policy: item.authority,
        preview_external_branches: item.preview_external,
        agent_instructions: item.agent_instructions.clone(),
        repository_connection: repository_connection(item, status),
        repository_ref: repository_ref(item, commit),
        sync_root: sync_root(item, target),
        priority: item.priority,
        operation,
        has_hook_secret: item.has_hook_secret,
        next_run_at: item.next_run_at,
        created_at: item.created_at,
        created_by: item.created_by,
        updated_at: item.updated_at,
        urls: GitInstallationUrls {
            location: urls.api(format_args!("git/installations/{id}")),
            hook: urls.api(format_args!("git/hooks/{id}")),
        },
    }
}

/// Returns the repository of a connection; `None` until it is set up.
fn repository_connection(
    item: &GitInstallationRecord,
    status: GitInstallationStatus,
) -> Option<GitRepositoryConnection> {
    let url = item.url.clone()?;
    let name = repository_name(&url)?;
    // Quire knows no interfaces of other servers.
    let has_interface = item.provider != GitProvider::Git;
    Some(GitRepositoryConnection {
        object: GitRepositoryConnectionTag::Tag,
        id: item.id,
        provider: item.provider,
        repository_id: item.repository_id.map_or_else(|| name.clone(), |id| id.to_string()),
        repository_name: name,
        repository_url: url,
        auth_state: status,
        capabilities: GitCapabilities { pull_requests: has_interface, commit_statuses: has_interface },
        created_at: item.created_at,
        updated_at: item.updated_at,
    })
}

/// Returns the branch of a connection; `None` for the default branch, whose name is not known here.
fn repository_ref(item: &GitInstallationRecord, commit: Option<String>) -> Option<GitRepositoryRef> {
    Some(GitRepositoryRef {
        object: GitRepositoryRefTag::Tag,
        id: item.id,
        name: item.reference.clone()?,
        kind: GitReferenceType::Branch,
        latest_observed_commit_id: commit.clone(),
        latest_imported_commit_id: commit,
        updated_at: item.updated_at,
    })
}

/// Returns the synchronized folder of a connection; `None` until a side with priority is chosen.
fn sync_root(item: &GitInstallationRecord, target: GitTarget) -> Option<GitSyncRoot> {
    item.priority?;
    Some(GitSyncRoot {
        object: GitSyncRootTag::Tag,
        id: item.id,
        installation_id: item.id,
        target,
        default_merge_authority_policy: item.authority,
        status: match item.next_run_at {
            Some(_) => GitSyncRootStatus::Active,
            None => GitSyncRootStatus::Disabled,
        },
        created_at: item.created_at,
        updated_at: item.updated_at,
    })
}

/// Returns the URL of the GitLab instance of a repository; `None` for gitlab.com.
fn custom_instance(url: &str) -> Option<String> {
    let address = Address::parse(url).ok()?;
    let origin = address.origin();
    (origin != GITLAB).then_some(origin)
}

/// Returns the preview of a pull request.
#[must_use]
pub fn git_preview(urls: &Urls, space: SpaceId, facts: GitPreviewFacts) -> GitPreview {
    let urls = facts.revision.map(|revision| GitPreviewUrls {
        location: urls.api(format_args!("spaces/{space}/revisions/{revision}")),
        app: urls.app(format_args!("s/{space}/~/history/{revision}")),
    });
    GitPreview { object: GitPreviewTag::Tag, facts, urls }
}

/// Returns an entry of the log of a connection.
#[must_use]
pub fn git_operation(record: GitOperationRecord) -> GitOperationEntry {
    let summary = record.summary();
    operation_entry(record, summary)
}

/// Returns an entry of the log of a site's connection.
#[must_use]
pub fn site_git_operation(record: GitOperationRecord) -> GitOperationEntry {
    let summary = record.summary_of_site();
    operation_entry(record, summary)
}

fn operation_entry(record: GitOperationRecord, summary: String) -> GitOperationEntry {
    GitOperationEntry {
        object: GitOperationTag::Tag,
        id: record.id,
        direction: record.direction,
        trigger: record.trigger,
        state: record.state,
        summary,
        from_commit: record.from_commit,
        to_commit: record.to_commit,
        revision: record.revision,
        change_request: record.change_request,
        attempts: record.attempts,
        started_at: record.started_at,
        ended_at: record.ended_at,
        pull_request: record.pull_request,
    }
}
