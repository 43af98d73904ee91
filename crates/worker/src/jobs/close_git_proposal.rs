//! `close-git-proposal`: closes the pull request of a branch that a connection to Git had before.
//!
//! The connection itself does not wait for it, and the former host may be unavailable.

use anyhow::Context as _;
use quire_storage::content::git_installations::{FormerGitProposal, GIT_FORMER_JOB};
use quire_storage::operations::jobs::Job;

use super::Next;
use crate::Services;
use crate::runner::{read, transact};

/// The kind of the job.
pub const KIND: &str = GIT_FORMER_JOB;

/// Maximum number of attempts. After the last one, the log asks users to close the pull request.
const ATTEMPTS: i32 = 4;

/// Closes the pull request, and notes it in the log of the connection.
///
/// # Errors
/// If the host cannot be reached now.
pub async fn run(services: &Services, job: &Job) -> anyhow::Result<Next> {
    let former: FormerGitProposal =
        serde_json::from_value(job.payload.clone()).context("the job names no pull request")?;
    let storage = &services.storage;
    let known = former.clone();
    let found = read(storage, move |reader| reader.former_git_remote(&known)).await?;
    let closed = services.git.close_former(&former, &found, job.attempt >= ATTEMPTS).await;
    if let Some(note) = closed.map_err(anyhow::Error::msg)? {
        transact(storage, move |tx| tx.note_former_proposal(&former, &note)).await?;
    }
    Ok(Next::Done)
}
