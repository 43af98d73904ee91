//! `purge-spaces`: permanently removes deleted spaces that can no longer be restored.
//!
//! One transaction removes a space with all its rows. The next sweep of files removes its bytes, which are then
//! unreferenced.

use std::time::Duration;

use quire_storage::SystemStorage;

use super::Next;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "purge-spaces";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(60 * 60);

/// Removes all spaces that can no longer be restored, one after the other. Idempotent, also with concurrent workers.
///
/// # Errors
/// If a statement fails; the rest is left to the next run.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    let mut purged = 0_u64;
    while let Some(space) = transact(storage, |tx| tx.purge_space()).await? {
        log::debug!("removed the deleted space {space} for good");
        purged = purged.saturating_add(1);
    }
    if purged > 0 {
        log::info!("removed {purged} deleted spaces for good");
    }
    Ok(Next::RunAgainAfter(EVERY))
}
