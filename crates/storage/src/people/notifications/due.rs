//! Inbox entries that are due to be mailed. The transaction that writes the mail marks them as mailed.

use std::collections::BTreeMap;
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{InboxEntryId, UserId};
use quire_domain::notifications::Delivery;
use time::{OffsetDateTime, Time};
use uuid::Uuid;

use crate::Result;
use crate::people::mails::NewMail;
use crate::system::SystemTx;

/// Age from which an entry is no longer mailed, such as after the restoration of a backup.
const NEWS: Duration = Duration::from_secs(24 * 60 * 60);
/// Hour of the day, in UTC, at which daily mails are written.
const HOUR: u8 = 7;
/// Maximum number of users whose entries one transaction takes.
const PEOPLE: i64 = 100;

/// Subject of one mail: a space, with a change request or a comment; `None` for a daily mail with all entries.
type Thread = Option<(Uuid, Option<Uuid>, Option<Uuid>)>;

/// Address and entries of each user, by thread.
type Threads = BTreeMap<(Uuid, Thread), (String, Vec<InboxEntryId>)>;

/// Claimed entry: user, address, entry, space, change request, comment.
type Row = (Uuid, String, Uuid, Uuid, Option<Uuid>, Option<Uuid>);

sql_files! {
    ClaimEntries(Timestamptz, Text, Timestamptz, Timestamptz, BigInt)
        -> (SqlUuid, Text, SqlUuid, SqlUuid, Nullable<SqlUuid>, Nullable<SqlUuid>) = "claim.sql";
}

impl SystemTx<'_> {
    /// Writes mails about unread entries that are due for immediate delivery, one per user and thread. Returns whether
    /// there may be more.
    pub fn mail_new_entries(&mut self) -> Result<bool> {
        let now = OffsetDateTime::from(self.now);
        self.mail_entries(Delivery::AtOnce, now - NEWS, now)
    }

    /// Writes the daily mails, one per user with unread entries for daily delivery. Returns whether there may be more.
    pub fn mail_daily_entries(&mut self) -> Result<bool> {
        let until = last_daily(OffsetDateTime::from(self.now));
        self.mail_entries(Delivery::Daily, until - NEWS, until)
    }

    fn mail_entries(
        &mut self,
        delivery: Delivery,
        after: OffsetDateTime,
        until: OffsetDateTime,
    ) -> Result<bool> {
        let now = OffsetDateTime::from(self.now);
        let values = (now, delivery.as_str(), after, until, PEOPLE);
        let rows: Vec<Row> = ClaimEntries::bind(values).load(self.connection)?;
        let is_digest = delivery == Delivery::Daily;
        let mut threads = Threads::new();
        for (user, recipient, entry, space, change_request, comment) in rows {
            // A change request and its comments are one thread; each comment on the main content is a thread.
            let comment = if change_request.is_some() { None } else { comment };
            let thread = (!is_digest).then_some((space, change_request, comment));
            let (_, entries) = threads.entry((user, thread)).or_insert_with(|| (recipient, Vec::new()));
            entries.push(InboxEntryId::from_uuid(entry));
        }
        let is_done = threads.is_empty();
        let mails = threads.into_iter().map(|((user, _), (recipient, mut entries))| {
            entries.sort_unstable();
            NewMail::Notice { user: UserId::from_uuid(user), recipient, entries, is_digest }
        });
        self.post_mails(mails.collect())?;
        Ok(!is_done)
    }
}

/// Returns the last time at which daily mails were due.
fn last_daily(now: OffsetDateTime) -> OffsetDateTime {
    let time = Time::from_hms(HOUR, 0, 0).unwrap_or(Time::MIDNIGHT);
    let now = now.to_offset(time::UtcOffset::UTC);
    let today = now.replace_time(time);
    if today <= now { today } else { today - NEWS }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn daily_mails_are_due_at_seven() {
        for (now, due) in [
            (datetime!(2026-11-29 06:59:59 UTC), datetime!(2026-11-28 07:00 UTC)),
            (datetime!(2026-11-29 07:00 UTC), datetime!(2026-11-29 07:00 UTC)),
            (datetime!(2026-11-29 23:00 UTC), datetime!(2026-11-29 07:00 UTC)),
            (datetime!(2026-11-29 08:30 +2), datetime!(2026-11-28 07:00 UTC)),
        ] {
            assert_eq!(last_daily(now), due, "{now}");
        }
    }
}
