//! `mail-inbox`: writes mails about entries of inboxes.
//!
//! Without a mailer the job writes nothing, so no mail waits for a server that is not configured.

use std::time::Duration;

use super::Next;
use crate::Services;
use crate::runner::transact;

/// Kind of the job, and its key.
pub const KIND: &str = "mail-inbox";

/// Interval between two runs.
pub(super) const EVERY: Duration = Duration::from_secs(60);

/// Writes all due mails, in transactions of a few recipients each.
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
