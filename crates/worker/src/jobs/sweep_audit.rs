//! `sweep-audit`: removes entries of the audit log that are older than the deployment keeps them.

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

/// The time between two runs.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Writes the job, unless it is there.
///
/// # Errors
/// When the statement fails.
pub fn schedule(tx: &mut SystemTx<'_>) -> Result<()> {
    let run_at = shifted(tx.now(), EVERY, i64::saturating_add);
    tx.enqueue(&NewJob { kind: KIND, payload: Value::Null, key: Some(KIND), run_at })?;
    Ok(())
}

/// Sweeps once, a batch a transaction; nothing where entries are kept forever.
///
/// # Errors
/// When a statement fails; what was not reached is left to the next sweep.
pub async fn run(services: &Services) -> anyhow::Result<Next> {
    if let Some(age) = services.audit_age {
        while transact(&services.storage, move |tx| tx.sweep_audit(age)).await? > 0 {}
    }
    Ok(Next::After(EVERY))
}
