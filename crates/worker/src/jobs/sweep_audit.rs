//! `sweep-audit`: removes audit log entries that exceed the configured age.

use std::time::Duration;

use super::Next;
use crate::Services;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-audit";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

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
