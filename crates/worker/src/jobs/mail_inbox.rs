//! `mail-inbox`: writes the mails about entries of inboxes.
//!
//! The job takes nothing while this node sends no mail, so that no mail waits for a server that is not set.

use std::time::Duration;

use super::Next;
use crate::Services;
use crate::runner::transact;

/// The kind of the job, and its key.
pub const KIND: &str = "mail-inbox";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(60);

/// Writes the mails that are due, those of some people in a transaction.
///
/// # Errors
/// If a statement fails; the rest is left to the next run.
pub async fn run(services: &Services) -> anyhow::Result<Next> {
    if services.mailer.is_some() {
        while transact(&services.storage, |tx| tx.mail_new_entries()).await? {}
        while transact(&services.storage, |tx| tx.mail_daily_entries()).await? {}
    }
    Ok(Next::RunAgainAfter(EVERY))
}
