//! `sweep-mails`: deletes old mails.

use std::time::Duration;

use quire_storage::SystemStorage;

use super::Next;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-mails";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Sweeps once.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    transact(storage, |tx| tx.sweep_mails()).await?;
    Ok(Next::RunAgainAfter(EVERY))
}
