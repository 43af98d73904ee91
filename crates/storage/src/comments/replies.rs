//! Replies: posted, listed, changed, deleted.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_domain::documents::Format;
use quire_domain::ids::{CommentId, CommentReplyId, SpaceId};
use quire_domain::webhooks::EventKind;
use uuid::Uuid;

use super::reactions::{ReactionRecord, Subject};
use super::{CommentChanges, NewBody};
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, CommentAt, ReplyAt, ReplyColumns, ReplyRecord, reply_columns};
use crate::schema::comment_replies;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, webhooks};

/// A reply with its reactions.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownReply {
    /// The reply.
    pub reply: ReplyRecord,
    /// The reactions to it.
    pub reactions: Vec<ReactionRecord>,
}

statements! {
    ListReplies = concat!(
        "SELECT ", reply_columns!("$5"), " FROM comment_replies rp LEFT JOIN users poster ON poster.id = rp.posted_by \
         WHERE rp.space_id = $1 AND rp.comment_id = $2 AND ($3 IS NULL OR rp.id < $3) ORDER BY rp.id DESC LIMIT $4"
    );
    CountListedReplies = "SELECT count(*) AS total FROM comment_replies WHERE space_id = $1 AND comment_id = $2";
    CountReplies = "UPDATE comments SET replies = replies + $3 WHERE space_id = $1 AND id = $2";
    InsertReply = "WITH posted AS ( \
                     INSERT INTO comment_replies (space_id, id, comment_id, posted_by, posted_at, markdown, document) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)) \
                   SELECT id AS user_id, email AS user_email, display_name AS user_display_name, photo_url AS user_photo_url \
                   FROM users WHERE id = $4";
    LockReply = "SELECT id FROM comment_replies WHERE space_id = $1 AND comment_id = $2 AND id = $3 FOR NO KEY UPDATE";
    ReadReply = concat!(
        "SELECT ", reply_columns!("$4"), " FROM comment_replies rp LEFT JOIN users poster ON poster.id = rp.posted_by \
         WHERE rp.space_id = $1 AND rp.comment_id = $2 AND rp.id = $3"
    );
    DeleteReply = "DELETE FROM comment_replies WHERE space_id = $1 AND comment_id = $2 AND id = $3";
}

impl Reader<'_> {
    /// The replies to a comment, newest first, from below one: three statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn replies_to(
        &mut self,
        comment: &Authorized<CommentAt>,
        format: Format,
        below: Option<CommentReplyId>,
        limit: u16,
    ) -> Result<Slice<ShownReply>> {
        let (space, id) = (comment.space.id, *comment.comment.id.as_uuid());
        let rows: Vec<ReplyColumns> = ListReplies::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(below.map(|below| *below.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
            val::<Bool, _>(format == Format::Document),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountListedReplies::bind((val::<SqlUuid, _>(*space.as_uuid()), val::<SqlUuid, _>(id)))
                .get_result(self.connection)?;
        let slice = Slice::cut(rows, limit, count.total).try_map(ReplyRecord::try_from)?;
        let ids: Vec<Uuid> = slice.items.iter().map(|reply| *reply.id.as_uuid()).collect();
        let mut reactions = self.reply_reactions(space, ids)?;
        slice.try_map(|reply| {
            let reactions = reactions.take(reply.id.as_uuid());
            Ok(ShownReply { reply, reactions })
        })
    }

    /// A reply with its reactions: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn show_reply(&mut self, reply: &Authorized<ReplyAt>) -> Result<ShownReply> {
        let id = *reply.reply.id.as_uuid();
        let reactions = self.reply_reactions(reply.space.id, vec![id])?.take(&id);
        Ok(ShownReply { reply: reply.reply.clone(), reactions })
    }
}

impl Tx<'_> {
    /// Posts a reply to a comment. Answers it as it was written.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the comment was deleted meanwhile.
    pub fn post_reply(
        &mut self,
        comment: &Authorized<CommentAt>,
        body: NewBody,
        format: Format,
    ) -> Result<ShownReply> {
        let (space, comment_id) = (comment.space.id, comment.comment.id);
        // First, because it locks the comment, which the insert needs: a delete must not come between.
        self.count_replies(space, comment_id, 1)?;
        let id = CommentReplyId::from_uuid(self.storage.ids().uuid());
        self.note_made("comment-reply", id);
        let posted_by = InsertReply::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<SqlUuid, _>(*comment_id.as_uuid()),
            val::<SqlUuid, _>(*comment.actor().user.as_uuid()),
            self.now_bind(),
            val::<Text, _>(&body.markdown),
            val::<Jsonb, _>(&body.document),
        ))
        .get_result(self.connection)?;
        let event = webhooks::Event::in_space(EventKind::CommentReplyCreated, space)
            .with("commentId", comment_id)
            .with("commentReplyId", id)
            .with_some("changeRequestId", comment.comment.change_request);
        self.emit_in_space(event)?;
        let (posted_at, body) = (self.now, body.into_format(format));
        let reply = ReplyRecord { id, posted_by, posted_at, edited_at: None, body };
        Ok(ShownReply { reply, reactions: Vec::new() })
    }

    /// A locked reply as it is after its changes.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn read_reply_again(
        &mut self,
        reply: Authorized<ReplyAt>,
        format: Format,
    ) -> Result<Authorized<ReplyAt>> {
        let fresh: ReplyColumns = ReadReply::bind((
            val::<SqlUuid, _>(*reply.space.id.as_uuid()),
            val::<SqlUuid, _>(*reply.comment.as_uuid()),
            val::<SqlUuid, _>(*reply.reply.id.as_uuid()),
            val::<Bool, _>(format == Format::Document),
        ))
        .get_result(self.connection)?;
        let fresh = fresh.try_into()?;
        Ok(reply.map(|at| ReplyAt { reply: fresh, ..at }))
    }

    /// Locks a reply until the transaction ends, after its comment when `with_comment`, and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone.
    pub fn lock_reply(
        &mut self,
        reply: Authorized<ReplyAt>,
        with_comment: bool,
        format: Format,
    ) -> Result<Authorized<ReplyAt>> {
        let (space, comment, id) = (reply.space.id, reply.comment, reply.reply.id);
        if with_comment {
            self.lock_comment_row(space, comment)?;
        }
        let locked = LockReply::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*comment.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ));
        if locked.execute(self.connection)? == 0 {
            return Err(Error::NotFound);
        }
        self.read_reply_again(reply, format)
    }

    /// Changes a locked reply. `resolved` is about its comment, which is locked then, too.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn update_reply(&mut self, reply: &Authorized<ReplyAt>, changes: &CommentChanges) -> Result<()> {
        let (space, comment, id) = (reply.space.id, reply.comment, reply.reply.id);
        let user = reply.actor().user;
        if let Some(resolved) = changes.resolved {
            self.resolve(space, reply.change_request, comment, resolved, user)?;
        }
        if let Some(body) = &changes.body {
            diesel::update(comment_replies::table.find((space.as_uuid(), id.as_uuid())))
                .set((
                    comment_replies::markdown.eq(&body.markdown),
                    comment_replies::document.eq(&body.document),
                    comment_replies::edited_at.eq(time::OffsetDateTime::from(self.now)),
                ))
                .execute(self.connection)?;
        }
        self.change_reactions(space, Subject::Reply(comment, id), user, &changes.reactions)
    }

    /// Deletes a reply with its reactions.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone already.
    pub fn delete_reply(&mut self, reply: &Authorized<ReplyAt>) -> Result<()> {
        let (space, comment) = (reply.space.id, reply.comment);
        self.count_replies(space, comment, -1)?;
        let deleted = DeleteReply::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*comment.as_uuid()),
            val::<SqlUuid, _>(*reply.reply.id.as_uuid()),
        ))
        .execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Adds to the number of replies that a comment shows, and so locks it.
    fn count_replies(&mut self, space: SpaceId, comment: CommentId, step: i32) -> Result<()> {
        let counted = CountReplies::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*comment.as_uuid()),
            val::<Integer, _>(step),
        ))
        .execute(self.connection)?;
        if counted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}
