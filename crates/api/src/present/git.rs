//! Synchronization with Git repositories.

use std::time::Duration;

use quire_domain::git::{GitInstallationStatus, GitOperation, GitOperationState, GitSyncState};
use quire_domain::git_installations::{
    GitConfiguration, GitInstallation, GitInstallationUrls, GitOperationEntry, GitTarget, GitTargetType,
};
use quire_domain::object::{GitInstallationTag, GitOperationTag};
use quire_git::Address;
use quire_storage::git_installations::{GitInstallationRecord, GitOperationRecord};
use quire_storage::git_syncs::GitSyncRecord;
use quire_storage::lookup::InSpace;

use crate::urls::Urls;

/// Returns the state of the last run of a space.
#[must_use]
pub fn git_sync(record: GitSyncRecord, time_limit: Duration) -> GitSyncState {
    let installation_status = status_of(&record);
    GitSyncState {
        repo_name: Address::parse(&record.url)
            .ok()
            .map(|address| address.name().to_owned())
            .filter(|name| !name.is_empty()),
        installation_status,
        installation_provider: record.provider,
        installation_id: record.space,
        url: record.tree_url.clone(),
        operation_timeout: u64::try_from(time_limit.as_millis()).ok(),
        updated_at: Some(record.ended_at.unwrap_or(record.started_at)),
        operation: Some(last_run(record)),
    }
}

fn last_run(record: GitSyncRecord) -> GitOperation {
    GitOperation {
        state: record.state,
        direction: record.direction,
        started_at: record.started_at,
        ended_at: record.ended_at,
        error: record.error,
    }
}

fn status_of(record: &GitSyncRecord) -> GitInstallationStatus {
    match (record.state, record.unauthenticated) {
        (_, true) => GitInstallationStatus::Unauthenticated,
        (GitOperationState::Success, false) => GitInstallationStatus::Active,
        (_, false) => GitInstallationStatus::Pending,
    }
}

/// Returns the connection of a space, with its last run.
#[must_use]
pub fn git_installation(
    urls: &Urls,
    installation: &InSpace<GitInstallationRecord>,
    last: Option<GitSyncRecord>,
) -> GitInstallation {
    let InSpace { space, item } = installation;
    let GitInstallationRecord { id, url, username, has_secret, reference, .. } = item.clone();
    GitInstallation {
        object: GitInstallationTag::Tag,
        id,
        target: GitTarget { kind: GitTargetType::Space, space_id: space.id },
        status: last.as_ref().map_or(GitInstallationStatus::Pending, status_of),
        provider: item.provider,
        provider_configuration: GitConfiguration {
            url,
            username,
            branch: reference,
            has_access_token: has_secret,
        },
        project_directory: item.project_directory.strip_suffix('/').map(str::to_owned),
        commit_message_template: item.commit_message_template.clone(),
        priority: item.priority,
        operation: last.map(last_run),
        next_run_at: item.next_run_at,
        created_at: item.created_at,
        created_by: item.created_by,
        updated_at: item.updated_at,
        urls: GitInstallationUrls { location: urls.api(format_args!("git/installations/{id}")) },
    }
}

/// Returns an entry of the log of a connection.
#[must_use]
pub fn git_operation(record: GitOperationRecord) -> GitOperationEntry {
    let summary = record.summary();
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
    }
}
