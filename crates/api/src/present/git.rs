//! Synchronization with Git repositories.

use std::time::Duration;

use quire_domain::git::{GitInstallationStatus, GitOperation, GitOperationState, GitSyncState};
use quire_git::Address;
use quire_storage::git_syncs::GitSyncRecord;

/// Returns the state of the last run of a space.
#[must_use]
pub fn git_sync(record: GitSyncRecord, time_limit: Duration) -> GitSyncState {
    let installation_status = match (record.state, record.unauthenticated) {
        (_, true) => GitInstallationStatus::Unauthenticated,
        (GitOperationState::Success, false) => GitInstallationStatus::Active,
        (_, false) => GitInstallationStatus::Pending,
    };
    GitSyncState {
        repo_name: Address::parse(&record.url)
            .ok()
            .map(|address| address.name().to_owned())
            .filter(|name| !name.is_empty()),
        installation_status,
        installation_provider: record.provider,
        installation_id: record.space,
        url: record.tree_url,
        operation: Some(GitOperation {
            state: record.state,
            direction: record.direction,
            started_at: record.started_at,
            ended_at: record.ended_at,
            error: record.error,
        }),
        operation_timeout: u64::try_from(time_limit.as_millis()).ok(),
        updated_at: Some(record.ended_at.unwrap_or(record.started_at)),
    }
}
