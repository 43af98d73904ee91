//! `sync-git`: synchronizes a space with its connected repository.
//!
//! Nothing is stored before a commit is pushed, and an import is one transaction. If the worker is lost, another one
//! restarts the run and makes the same commit.

use anyhow::Context as _;
use quire_content::git::SyncEnd;
use quire_domain::ids::SpaceId;
use quire_storage::SystemTx;
use quire_storage::content::git_installations::{GIT_SYNC_JOB, GitRunEnd};
use quire_storage::operations::jobs::Job;
use serde::Deserialize;

use super::Next;
use crate::Services;
use crate::runner::transact;

/// The kind of the job.
pub const KIND: &str = GIT_SYNC_JOB;

/// Log entry of a run that has no token to act with.
pub(super) const NO_TOKEN: &str = "The token used for synchronization was revoked, or its user was removed. Save the \
                        settings of the connection to use a token of yours.";

#[derive(Deserialize)]
struct Payload {
    space: SpaceId,
}

/// Synchronizes a space. A failure is recorded in the log of the connection, not returned.
///
/// # Errors
/// If this machine causes an error that another attempt may avoid.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    let Payload { space } = serde_json::from_value(job.payload.clone()).context("the job names no space")?;
    let storage = &services.storage;
    let Some(due) = transact(storage, move |tx| tx.begin_git_installation(space)).await? else {
        return Ok(Next::Done);
    };
    let SyncEnd { end, unnoted } = match due.connection.credentials {
        Some(credentials) => {
            services.git.synchronize(storage.storage(), &due, credentials, &services.base_url).await?
        }
        None => {
            let direction = due.connection.priority.direction();
            SyncEnd { end: GitRunEnd::Unauthenticated, unnoted: Some((direction, NO_TOKEN.to_owned())) }
        }
    };
    let ending = due.clone();
    let ended = move |tx: &mut SystemTx<'_>| {
        if let Some((direction, reason)) = &unnoted {
            tx.fail_git_installation(&ending, *direction, reason)?;
        }
        tx.end_git_installation(&ending, end)
    };
    transact(storage, ended).await?;
    if let (GitRunEnd::Success, Some(credentials)) = (end, due.connection.credentials) {
        let previewed = services.git.preview(storage.storage(), &due, credentials, &services.base_url).await;
        // The next synchronization retries the previews.
        if let Err(error) = previewed {
            log::warn!("previews of space {space} could not be created: {error}");
        }
    }
    Ok(Next::Done)
}
