//! Repositories on the server of a connection, for users to choose from.

use quire_domain::error::{Reason, Refusal};
use quire_domain::git::GitProvider;
use quire_domain::git_hosts::{GitBranch, GitFile, GitRepositoryEntry};
use quire_git::{GitError, Limits, Remote};
use quire_importer::fetch::{FetchError, Fetcher};
use quire_storage::Error as StorageError;
use quire_storage::content::git_installations::GitRemote;

use super::hosts::{self, Host, HostError, HostedRepository};
use super::run::sentence;
use super::sync::address_of;
use crate::error::{Error, Result};

/// Returns the repositories of a host that the credentials can access.
pub(super) async fn repositories(
    fetcher: &Fetcher,
    remote: &GitRemote,
    provider: GitProvider,
) -> Result<Vec<GitRepositoryEntry>> {
    let address = address_of(remote).map_err(refused)?;
    let host = Host::of(provider).ok_or(StorageError::NotFound)?;
    found(hosts::repositories(fetcher, &address, (host, remote.app.is_some())).await)
}

/// Returns the URL of a repository by its id on the host of `remote`. `None` if the credentials cannot access it.
pub(super) async fn clone_url(
    fetcher: &Fetcher,
    remote: &GitRemote,
    provider: GitProvider,
    id: i64,
) -> Result<Option<String>> {
    let address = address_of(remote).map_err(refused)?;
    let host = Host::of(provider).ok_or(StorageError::NotFound)?;
    match hosts::clone_url(fetcher, &address, host, id).await {
        Ok(None) => Ok(None),
        answer => found(answer).map(Some),
    }
}

/// Returns the branches of a repository on a host.
pub(super) async fn branches_of(
    fetcher: &Fetcher,
    remote: &GitRemote,
    repository: &HostedRepository,
) -> Result<Vec<GitBranch>> {
    let address = address_of(remote).map_err(refused)?;
    found(hosts::branches(fetcher, &address, repository).await)
}

/// Returns a file of a repository on a host.
pub(super) async fn file(
    fetcher: &Fetcher,
    remote: &GitRemote,
    repository: &HostedRepository,
    (path, reference): (&str, &str),
) -> Result<GitFile> {
    let address = address_of(remote).map_err(refused)?;
    found(hosts::file(fetcher, &address, repository, (path, reference)).await)
}

/// Returns the branches of a connection's repository, as listed by its Git server.
pub(super) async fn branches(
    (fetcher, limits): (&Fetcher, Limits),
    remote: &GitRemote,
    most: usize,
) -> Result<Vec<GitBranch>> {
    let address = address_of(remote).map_err(refused)?;
    let names = Remote::run(fetcher, address, limits, move |remote| remote.branches(most)).await;
    let branches = names
        .map_err(refused)?
        .into_iter()
        .map(|name| GitBranch { reference: format!("refs/heads/{name}"), name });
    Ok(branches.collect())
}

fn found<T>(answer: std::result::Result<Option<T>, HostError>) -> Result<T> {
    let reason = match &answer {
        Err(HostError::Fetch(error)) => reason_of(error),
        _ => Reason::FetchFailed,
    };
    let message = match answer {
        Ok(found) => return found.ok_or_else(|| StorageError::NotFound.into()),
        Err(HostError::Status(401 | 403)) => {
            "The host did not accept the token of the connection.".to_owned()
        }
        Err(error) => format!("The list cannot be read: {error}."),
    };
    Err(Refusal::new(reason).with_message(message).into())
}

/// Returns the refusal of a request for an unreadable repository.
fn refused(error: GitError) -> Error {
    let reason = match &error {
        GitError::Fetch(error) => reason_of(error),
        _ => Reason::FetchFailed,
    };
    Refusal::new(reason).with_message(sentence(&error)).into()
}

fn reason_of(error: &FetchError) -> Reason {
    match error {
        FetchError::InvalidUrl { .. } | FetchError::Refused { .. } => Reason::FetchRefused,
        _ => Reason::FetchFailed,
    }
}
