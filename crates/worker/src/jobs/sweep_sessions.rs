//! `sweep-sessions`: deletes expired browser sessions, sign-in links, passkey challenges and SAML sign-ins. Expired
//! ones are ignored anyway.

use std::time::Duration;

use quire_storage::SystemStorage;

use super::Next;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "sweep-sessions";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Sweeps once.
pub async fn run(storage: &SystemStorage) -> anyhow::Result<Next> {
    transact(storage, |tx| tx.sweep_sessions()).await?;
    transact(storage, |tx| tx.sweep_sign_in_links()).await?;
    transact(storage, |tx| tx.sweep_passkey_challenges()).await?;
    transact(storage, |tx| tx.sweep_saml()).await?;
    Ok(Next::RunAgainAfter(EVERY))
}
