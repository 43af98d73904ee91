//! `sweep-audit`: removes audit log entries that exceed the configured age.

use std::time::Duration;

use quire_storage::jobs::NewJob;
use quire_storage::{Result, SystemTx};
use serde_json::Value;

use super::Next;
use super::sweep_files::shifted;
use crate::Services;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-audit";

/// Interval between two runs.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Writes the job, unless it exists.
pub fn schedule(tx: &mut SystemTx<'_>) -> Result<()> {
    let run_at = shifted(tx.now(), EVERY, i64::saturating_add);
    tx.enqueue(&NewJob { kind: KIND, payload: Value::Null, key: Some(KIND), run_at })?;
    Ok(())
}

/// Sweeps once, one batch per transaction; does nothing if entries are kept forever.
///
/// # Errors
/// If a statement fails; the rest is left to the next sweep.
pub async fn run(services: &Services) -> anyhow::Result<Next> {
    if let Some(age) = services.audit_age {
        while transact(&services.storage, move |tx| tx.sweep_audit(age)).await? > 0 {}
    }
    Ok(Next::RunAgainAfter(EVERY))
}
