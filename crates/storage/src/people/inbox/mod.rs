//! Inboxes: entries that the transactions write that cause them, and what their users read of them.
//!
//! The entries of an event have one id, so that a transaction names no recipients before it writes them. An entry is
//! written for those who may see the space, and is listed for as long as they may.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounds::INBOX_LIFE;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{
    ChangeRequestId, CommentId, CommentReplyId, ImportId, InboxEntryId, OrganizationId, SpaceId,
};
use quire_domain::imports::ImportState;
use quire_domain::inbox::InboxEntryType;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::UserRecord;
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::{Result, parse_enum, to_timestamp};

/// Most old entries that one statement deletes.
const SWEEP: i64 = 10_000;

/// Entry of an inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxRecord {
    /// Id of the entry.
    pub id: InboxEntryId,
    /// Event.
    pub kind: InboxEntryType,
    /// Organization of the space.
    pub organization: OrganizationId,
    /// Space.
    pub space: SpaceId,
    /// Title of the space.
    pub space_title: String,
    /// Change request: id, number and subject.
    pub change_request: Option<(ChangeRequestId, i32, String)>,
    /// Comment.
    pub comment: Option<CommentId>,
    /// Path of the page of the comment at the time of posting.
    pub page_path: Option<String>,
    /// Reply.
    pub reply: Option<CommentReplyId>,
    /// Start of the text.
    pub excerpt: Option<String>,
    /// Import and its state.
    pub import: Option<(ImportId, ImportState)>,
    /// Time of the event.
    pub created_at: Timestamp,
    /// Time at which the entry was marked as read.
    pub read_at: Option<Timestamp>,
    /// User who caused it.
    pub actor: UserRecord,
}

impl InboxRecord {
    /// Returns the path in the app of what the entry is about.
    #[must_use]
    pub fn app_path(&self) -> String {
        let space = self.space;
        if let Some((import, _)) = &self.import {
            return format!("s/{space}/~/imports/{import}");
        }
        let anchor = self.comment.map(|comment| format!("#comment-{comment}")).unwrap_or_default();
        match (&self.change_request, self.page_path.as_deref()) {
            (Some((_, number, _)), _) if self.kind == InboxEntryType::Conflict => {
                format!("s/{space}/~/changes/{number}/~conflicts")
            }
            (Some((_, number, _)), _) => format!("s/{space}/~/changes/{number}{anchor}"),
            (None, Some(path)) if !path.is_empty() => format!("s/{space}/{path}{anchor}"),
            (None, _) => format!("s/{space}{anchor}"),
        }
    }
}

/// Row of an entry, as statements list it.
pub(crate) type Row = (
    Uuid,
    String,
    Uuid,
    Uuid,
    String,
    Option<Uuid>,
    Option<i32>,
    Option<String>,
    Option<Uuid>,
    Option<String>,
    Option<Uuid>,
    Option<String>,
    Option<Uuid>,
    Option<String>,
    OffsetDateTime,
    Option<OffsetDateTime>,
    (Option<Uuid>, Option<String>, Option<String>, Option<String>),
);

sql_files! {
    ListInbox(SqlUuid, SqlUuid, SqlUuid, Bool, BigInt) -> (
        SqlUuid, Text, SqlUuid, SqlUuid, Text, Nullable<SqlUuid>, Nullable<Integer>, Nullable<Text>,
        Nullable<SqlUuid>, Nullable<Text>, Nullable<SqlUuid>, Nullable<Text>, Nullable<SqlUuid>, Nullable<Text>,
        Timestamptz, Nullable<Timestamptz>, (Nullable<SqlUuid>, Nullable<Text>, Nullable<Text>, Nullable<Text>),
    ) = "list.sql";
    CountInbox(SqlUuid, SqlUuid, Bool) -> (BigInt,) = "count.sql";
    MarkRead(SqlUuid, SqlUuid, Nullable<Array<SqlUuid>>, Timestamptz) = "mark_read.sql";
    SweepInbox(Timestamptz, BigInt) = "sweep.sql";
}

pub(crate) fn record(row: Row) -> Result<InboxRecord> {
    let (
        id,
        kind,
        space,
        organization,
        space_title,
        request,
        number,
        subject,
        comment,
        page_path,
        reply,
        excerpt,
        import,
        import_state,
        created_at,
        read_at,
        (user_id, user_email, user_display_name, user_photo_url),
    ) = row;
    let change_request =
        request.zip(number).map(|(id, number)| (ChangeRequestId::from_uuid(id), number, subject));
    let import_state = import_state.as_deref().map(parse_enum).transpose()?;
    Ok(InboxRecord {
        id: InboxEntryId::from_uuid(id),
        kind: parse_enum(&kind)?,
        organization: OrganizationId::from_uuid(organization),
        space: SpaceId::from_uuid(space),
        space_title,
        change_request: change_request.map(|(id, number, subject)| (id, number, subject.unwrap_or_default())),
        comment: comment.map(CommentId::from_uuid),
        page_path,
        reply: reply.map(CommentReplyId::from_uuid),
        excerpt,
        import: import.map(ImportId::from_uuid).zip(import_state),
        created_at: to_timestamp(created_at)?,
        read_at: read_at.map(to_timestamp).transpose()?,
        actor: UserRecord { user_id, user_email, user_display_name, user_photo_url },
    })
}

impl Reader<'_> {
    /// Entries of the actor's inbox whose spaces the token may see, newest first: three statements.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated).
    pub fn own_inbox(
        &mut self,
        only_unread: bool,
        below: Option<InboxEntryId>,
        limit: u16,
    ) -> Result<Slice<InboxRecord>> {
        let actor = self.actor()?;
        let (user, token) = (actor.user, actor.token);
        let rows: Vec<Row> = ListInbox::bind((user, token, page_end(below), only_unread, fetch_limit(limit)))
            .load(self.connection)?;
        let (total,): (i64,) = CountInbox::bind((user, token, only_unread)).get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map(record)
    }

    /// Number of unread entries of the actor's inbox whose spaces the token may see: two statements, one if the actor
    /// is known.
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
    /// Marks entries of the actor's inbox as read: some, or all whose spaces the token may see. Ids of other entries
    /// change nothing.
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
    /// Deletes entries of inboxes that are older than [`INBOX_LIFE`], up to a limit, and returns their number.
    pub fn sweep_inbox(&mut self) -> Result<usize> {
        let before = OffsetDateTime::from(self.now) - INBOX_LIFE;
        Ok(SweepInbox::bind((before, SWEEP)).execute(self.connection)?)
    }
}
