//! `sweep-inbox`: removes old entries of inboxes.

use std::time::Duration;

use quire_storage::SystemStorage;

use super::Next;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-inbox";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Sweeps once, one batch per transaction.
///
/// # Errors
/// If a statement fails; the rest is left to the next sweep.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    while transact(storage, |tx| tx.sweep_inbox()).await? > 0 {}
    Ok(Next::RunAgainAfter(EVERY))
}
