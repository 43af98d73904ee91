//! `sweep-deliveries`: removes old webhook deliveries.

use std::time::Duration;

use quire_storage::jobs::NewJob;
use quire_storage::{Result, SystemStorage, SystemTx};
use serde_json::Value;

use super::Next;
use super::sweep_files::shifted;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-deliveries";

/// Interval between two runs.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// Age at which deliveries are removed.
const AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Writes the job, unless it exists.
pub fn schedule(tx: &mut SystemTx<'_>) -> Result<()> {
    let run_at = shifted(tx.now(), EVERY, i64::saturating_add);
    tx.enqueue(&NewJob { kind: KIND, payload: Value::Null, key: Some(KIND), run_at })?;
    Ok(())
}

/// Sweeps once, one batch per transaction.
///
/// # Errors
/// If a statement fails; the rest is left to the next sweep.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    while transact(storage, |tx| tx.sweep_deliveries(AGE)).await? > 0 {}
    Ok(Next::RunAgainAfter(EVERY))
}
