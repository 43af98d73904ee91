//! `sweep-idempotency-keys`: deletes expired keys of requests with their answers, which are ignored until then.

use std::time::Duration;

use quire_storage::jobs::NewJob;
use quire_storage::{Result, SystemStorage, SystemTx};
use serde_json::Value;

use super::Next;
use super::sweep_files::shifted;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-idempotency-keys";

/// Interval between two runs.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Writes the job, unless it exists.
pub fn schedule(tx: &mut SystemTx<'_>) -> Result<()> {
    let run_at = shifted(tx.now(), EVERY, i64::saturating_add);
    tx.enqueue(&NewJob { kind: KIND, payload: Value::Null, key: Some(KIND), run_at })?;
    Ok(())
}

/// Sweeps once, in short transactions.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    while transact(storage, |tx| tx.sweep_outcomes()).await? {}
    Ok(Next::RunAgainAfter(EVERY))
}
