//! Inboxes: entries are written by the transactions that cause them, and read by their users.
//!
//! All entries of an event have the same id, so a transaction need not know the recipients before it writes them. An
//! entry is written for users who may see the space, and is listed only while they may.

use std::ops::Deref;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounds::INBOX_LIFE;
use quire_domain::ids::InboxEntryId;
use quire_domain::inbox::{InboxEntryFacts, InboxEntryType};
use time::OffsetDateTime;

use crate::Result;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::UserRecord;
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};

/// Maximum number of old entries that one statement deletes.
const SWEEP: i64 = 10_000;

/// Inbox entry, with the user who caused it and its page.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct InboxItem {
    /// Facts that responses show unchanged.
    pub facts: InboxEntryFacts,
    /// Path of the comment's page when the comment was posted.
    pub page_path: Option<String>,
    /// User who caused the entry.
    pub actor: UserRecord,
}

impl Deref for InboxItem {
    type Target = InboxEntryFacts;

    fn deref(&self) -> &InboxEntryFacts {
        &self.facts
    }
}

impl InboxItem {
    /// Returns the path of the entry's subject in the app.
    #[must_use]
    pub fn app_path(&self) -> String {
        let space = self.space.id;
        if let Some(import) = &self.import {
            return format!("s/{space}/~/imports/{}", import.id);
        }
        let anchor = self.comment.map(|comment| format!("#comment-{comment}")).unwrap_or_default();
        match (&self.change_request, self.page_path.as_deref()) {
            (Some(change_request), _) if self.type_ == InboxEntryType::Conflict => {
                format!("s/{space}/~/changes/{}/~conflicts", change_request.number)
            }
            (Some(change_request), _) => format!("s/{space}/~/changes/{}{anchor}", change_request.number),
            (None, Some(path)) if !path.is_empty() => format!("s/{space}/{path}{anchor}"),
            (None, _) => format!("s/{space}{anchor}"),
        }
    }
}

/// SQL types of [`InboxEntryFacts`].
type Facts = (
    SqlUuid,
    Text,
    SqlUuid,
    (SqlUuid, Text),
    Nullable<(SqlUuid, Integer, Text)>,
    Nullable<SqlUuid>,
    Nullable<SqlUuid>,
    Nullable<Text>,
    Nullable<(SqlUuid, Text)>,
    Timestamptz,
    Nullable<Timestamptz>,
);

/// SQL types of an [`InboxItem`].
pub(crate) type Item =
    (Facts, Nullable<Text>, (Nullable<SqlUuid>, Nullable<Text>, Nullable<Text>, Nullable<Text>));

sql_files! {
    ListInbox(SqlUuid, SqlUuid, SqlUuid, Bool, BigInt) -> Item = "list.sql";
    CountInbox(SqlUuid, SqlUuid, Bool) -> (BigInt,) = "count.sql";
    MarkRead(SqlUuid, SqlUuid, Nullable<Array<SqlUuid>>, Timestamptz) = "mark_read.sql";
    SweepInbox(Timestamptz, BigInt) = "sweep.sql";
}

impl Reader<'_> {
    /// Returns the entries of the actor's inbox whose spaces the token may see, newest first. Takes three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated).
    pub fn own_inbox(
        &mut self,
        only_unread: bool,
        below: Option<InboxEntryId>,
        limit: u16,
    ) -> Result<Slice<InboxItem>> {
        let actor = self.actor()?;
        let (user, token) = (actor.user, actor.token);
        let entries = ListInbox::bind((user, token, page_end(below), only_unread, fetch_limit(limit)))
            .load(self.connection)?;
        let (total,): (i64,) = CountInbox::bind((user, token, only_unread)).get_result(self.connection)?;
        Ok(Slice::cut(entries, limit, total))
    }

    /// Returns the number of unread entries of the actor's inbox whose spaces the token may see. Takes two statements,
    /// or one if the actor is known.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated).
    pub fn unread_in_inbox(&mut self) -> Result<u64> {
        let actor = match self.actor {
            Some(actor) => actor,
            None => self.actor()?,
        };
        let values = (actor.user, actor.token, true);
        let (unread,): (i64,) = CountInbox::bind(values).get_result(self.connection)?;
        Ok(u64::try_from(unread).unwrap_or(0))
    }
}

impl Tx<'_> {
    /// Marks entries of the actor's inbox as read: the given ones, or all, whose spaces the token may see. Ids of other
    /// entries are ignored.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated).
    pub fn mark_inbox_read(&mut self, entries: Option<&[InboxEntryId]>) -> Result<()> {
        let actor = self.actor()?;
        let entries: Option<Vec<_>> = entries.map(|entries| entries.to_vec());
        let now = self.now;
        MarkRead::bind((actor.user, actor.token, entries, now)).execute(self.connection)?;
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Deletes a batch of entries that are older than [`INBOX_LIFE`], and returns their number.
    pub fn sweep_inbox(&mut self) -> Result<usize> {
        let before = OffsetDateTime::from(self.now) - INBOX_LIFE;
        Ok(SweepInbox::bind((before, SWEEP)).execute(self.connection)?)
    }
}
