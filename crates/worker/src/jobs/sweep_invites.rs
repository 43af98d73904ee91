//! `sweep-invites`: deletes expired e-mail invites. Expired invites are ignored anyway.

use std::time::Duration;

use quire_storage::SystemStorage;

use super::Next;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-invites";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Sweeps once.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    transact(storage, |tx| tx.sweep_email_invites()).await?;
    Ok(Next::RunAgainAfter(EVERY))
}
