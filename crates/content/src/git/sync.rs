//! Synchronization of a connected space: an import, then an export on top of the imported commit.

use quire_domain::change_requests::Event;
use quire_domain::git::GitDirection;
use quire_domain::git_installations::{GitAuthority, GitPriority};
use quire_domain::ids::{ChangeRequestId, SpaceId};
use quire_domain::policy::Action;
use quire_git::{Account, Address, GitError};
use quire_storage::content::change_requests::{ChangeRequestKey, Choice, MergeReport, PreparedMerge};
use quire_storage::content::git_installations::{DueConnection, DueGitInstallation, GitRemote};
use quire_storage::content::git_syncs::NewGitSync;
use quire_storage::content::store::HeadOf;
use quire_storage::lookup::Credentials;
use quire_storage::optimistic::commit_draft;
use quire_storage::{Error as StorageError, Reader, Tx};

use super::commits::waiting;
use super::export::{Ended, Exported};
use super::run::{GitRun, RunError, RunResources, RunResult, TIME_LIMIT};
use super::{export, import};
use crate::door::Door;
use crate::error::{Error, Result};

/// Maximum number of attempts of a synchronization if the repository changes meanwhile.
const ATTEMPTS: usize = 3;

/// Failure of one direction.
pub(super) struct Failed {
    /// The run, unless it could not be started.
    pub(super) run: Option<Box<GitRun>>,
    pub(super) direction: GitDirection,
    pub(super) error: RunError,
}

impl Failed {
    /// Returns a failure before any run started.
    pub(super) fn before(error: impl Into<RunError>) -> Self {
        Self { run: None, direction: GitDirection::Import, error: error.into() }
    }
}

/// Returns the address of a repository with its credentials.
///
/// # Errors
/// [`GitError::InvalidUrl`] if the URL is not the URL of a repository.
pub(super) fn address_of(remote: &GitRemote) -> std::result::Result<Address, GitError> {
    let address = Address::parse(&remote.url)?;
    Ok(match remote.account.clone() {
        None => address,
        Some((username, password)) => address.with_account(Account { username, password }),
    })
}

/// Synchronizes a space. Starts again if the repository changes meanwhile. `base_url` is the URL of the service.
pub(super) async fn run(
    resources: RunResources<'_>,
    door: &impl Door,
    due: &DueGitInstallation,
    (credentials, base_url): (Credentials, &str),
) -> std::result::Result<(), Failed> {
    let mut attempt = 1;
    loop {
        match once(resources, door, due, (credentials, base_url)).await {
            Err(Failed { error: RunError::Git(GitError::Outdated), .. }) if attempt < ATTEMPTS => {
                attempt += 1
            }
            Ok(Exported::Pushed) => {
                return withdraw(resources, door, due, credentials).await.map_err(Failed::before);
            }
            result => return result.map(|_| ()),
        }
    }
}

/// Closes the pull request of a space whose commits do not wait any more, if there is one.
async fn withdraw(
    resources: RunResources<'_>,
    door: &impl Door,
    due: &DueGitInstallation,
    credentials: Credentials,
) -> RunResult<()> {
    let DueConnection { id: installation, provider, remote, pull_request, .. } = &due.connection;
    let Some(logged) = pull_request.as_deref() else { return Ok(()) };
    let (address, source) = (address_of(remote)?, export::branch_of(due.space));
    let ended = Ended { provider: *provider, address: &address, source: &source, logged };
    let (space, installation) = (due.space, *installation);
    let record = move |tx: &mut Tx<'_>, note: Option<&str>| {
        let space = tx.space(space)?.authorize(Action::TriggerGitSync)?;
        Ok(tx.end_git_proposal(&space, installation, note)?)
    };
    export::withdraw(&resources.imports.fetcher, (door, credentials), &ended, record).await
}

/// Imports and exports once. Returns `Pushed` also if the export had nothing to do.
async fn once(
    resources: RunResources<'_>,
    door: &impl Door,
    due: &DueGitInstallation,
    (credentials, base_url): (Credentials, &str),
) -> std::result::Result<Exported, Failed> {
    let has_base = base_of(door, due, credentials).await.map_err(Failed::before)?;
    if has_base || due.connection.priority == GitPriority::Git {
        let run = start(door, due, credentials, GitDirection::Import).await?;
        let set_aside = import::run(resources, door, &run).await;
        let set_aside = set_aside.map_err(|error| failed(run, GitDirection::Import, error))?;
        if let Some(change_request) = set_aside {
            merge(door, credentials, due.space, change_request).await.map_err(Failed::before)?;
        }
    }
    let waiting = waiting(door, due, (credentials, base_url)).await.map_err(Failed::before)?;
    let Some(new) = waiting else { return Ok(Exported::Pushed) };
    let run = start(door, due, credentials, GitDirection::Export).await?;
    let exported = export::run(resources, door, &run, &new).await;
    exported.map_err(|error| failed(run, GitDirection::Export, error))
}

fn failed(run: GitRun, direction: GitDirection, error: RunError) -> Failed {
    Failed { run: Some(Box::new(run)), direction, error }
}

/// Returns whether both sides were equal before.
async fn base_of(door: &impl Door, due: &DueGitInstallation, credentials: Credentials) -> Result<bool> {
    let (space, remote) = (due.space, due.connection.remote.clone());
    let read = move |reader: &mut Reader<'_>| {
        let space = reader.space(space)?.authorize(Action::TriggerGitSync)?;
        Ok(reader.git_base(&space, &remote)?.is_some())
    };
    door.read(credentials, read).await
}

/// Starts the run of a direction.
async fn start(
    door: &impl Door,
    due: &DueGitInstallation,
    credentials: Credentials,
    direction: GitDirection,
) -> std::result::Result<GitRun, Failed> {
    let failed = |error: RunError| Failed { run: None, direction, error };
    let address = address_of(&due.connection.remote).map_err(|error| failed(error.into()))?;
    let GitRemote { url, reference, project_directory, .. } = due.connection.remote.clone();
    let new = NewGitSync {
        direction,
        url,
        reference: reference.clone(),
        project_directory: project_directory.clone(),
        provider: due.connection.provider,
        tree_url: None,
        time_limit: TIME_LIMIT,
        is_standalone: false,
        installation: Some(due.connection.running()),
    };
    let space = due.space;
    let started = door.transact(credentials, move |tx| {
        let space = tx.space(space)?.authorize(Action::TriggerGitSync)?;
        Ok(tx.start_git_sync(&space, new)?)
    });
    let sync = started.await.map_err(|error| failed(error.into()))?;
    Ok(GitRun {
        credentials,
        sync,
        address,
        reference,
        folder: project_directory,
        force: false,
        follows: true,
        keeps_edits: due.authority == GitAuthority::Gitbook,
        standalone: None,
        agents: due.agent_instructions.clone(),
        connection: due.parent.or(Some(due.connection.id)),
        repository: Some((due.connection.provider, due.connection.remote.url.clone())),
    })
}

/// Merges a change request with changes of one side that conflicted with changes of the other one. It stays open if it
/// has conflicts or does not meet the merge rules.
async fn merge(
    door: &impl Door,
    credentials: Credentials,
    space: SpaceId,
    id: ChangeRequestId,
) -> RunResult<()> {
    let key = ChangeRequestKey::Id(id);
    let prepare = || {
        door.read(credentials, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Event::Merge.required_action())?;
            Ok(reader.prepare_merge(&found, Choice::default())?)
        })
    };
    let commit = |prepared: PreparedMerge| {
        let find = move |reader: &mut Reader<'_>| {
            Ok(reader.change_request(space, key)?.authorize(Event::Merge.required_action())?)
        };
        async move {
            let turn = door.turn((space, HeadOf::Space)).await?;
            door.write(credentials, turn, find, move |tx, found| {
                let report = tx.merge_change_request(&found, &prepared)?;
                // The export of this run follows.
                tx.forget_connected_head(space);
                Ok(report)
            })
            .await
        }
    };
    match commit_draft(prepare, commit).await {
        Ok(MergeReport::Done(_) | MergeReport::Conflicts { .. }) => Ok(()),
        Err(
            Error::Refused(_) | Error::Storage(StorageError::Forbidden { .. } | StorageError::Refused(_)),
        ) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
