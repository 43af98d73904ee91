//! `sweep-deliveries`: removes old webhook deliveries.

use std::time::Duration;

use quire_storage::SystemStorage;

use super::Next;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-deliveries";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// Age at which deliveries are removed.
const AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Sweeps once, one batch per transaction.
///
/// # Errors
/// If a statement fails; the rest is left to the next sweep.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    while transact(storage, |tx| tx.sweep_deliveries(AGE)).await? > 0 {}
    Ok(Next::RunAgainAfter(EVERY))
}
