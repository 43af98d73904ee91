//! `sweep-idempotency-keys`: deletes expired idempotency keys with the stored answers. Expired keys are ignored anyway.

use std::time::Duration;

use quire_storage::SystemStorage;

use super::Next;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-idempotency-keys";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(60 * 60);

/// Sweeps once, in short transactions.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    while transact(storage, |tx| tx.sweep_outcomes()).await? {}
    Ok(Next::RunAgainAfter(EVERY))
}
