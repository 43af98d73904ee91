//! `poll-git`: enqueues the synchronization of due connections, and removes old entries of their logs.

use std::time::Duration;

use quire_storage::SystemStorage;

use super::Next;
use crate::runner::{read, transact};

/// The kind of the job.
pub const KIND: &str = "poll-git";

/// Interval of the job.
pub const EVERY: Duration = Duration::from_secs(30);

/// Age at which entries of logs are removed.
const AGE: Duration = Duration::from_secs(90 * 24 * 3_600);

/// Writes the jobs of due connections.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    let due = read(storage, |reader| reader.due_git_installations()).await?;
    if !due.is_empty() {
        let enqueue = move |tx: &mut quire_storage::SystemTx<'_>| {
            due.into_iter().try_for_each(|space| tx.enqueue_due_git_sync(space))
        };
        transact(storage, enqueue).await?;
    }
    let due = read(storage, |reader| reader.due_site_git()).await?;
    if !due.is_empty() {
        let enqueue = move |tx: &mut quire_storage::SystemTx<'_>| {
            due.into_iter().try_for_each(|site| tx.enqueue_due_site_git(site))
        };
        transact(storage, enqueue).await?;
    }
    transact(storage, |tx| {
        tx.sweep_git_operations(AGE)?;
        tx.sweep_site_git_operations(AGE)
    })
    .await?;
    Ok(Next::RunAgainAfter(EVERY))
}
