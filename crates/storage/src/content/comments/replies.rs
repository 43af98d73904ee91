//! Replies: posts, lists, edits and deletion.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Integer, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::comments::Reaction;
use quire_domain::documents::Format;
use quire_domain::ids::{CommentId, CommentReplyId, SpaceId};
use quire_domain::webhooks::EventKind;
use uuid::Uuid;

use super::reactions::Subject;
use super::{CommentChanges, WrittenBody};
use crate::content::comments::{CommentAt, ReplyAt, ReplyRecord, reply_columns};
use crate::content::store::ContentAt;
use crate::detail_views::reply_details;
use crate::end_of_transaction::CommentNotice;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, UserRecord};
use crate::operations::webhooks;
use crate::schema::comment_replies;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Reply with its reactions.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownReply {
    /// Reply.
    pub reply: ReplyRecord,
    /// Reactions to the reply.
    pub reactions: Vec<Reaction<UserRecord>>,
}

sql_files! {
    InsertReply(SqlUuid, SqlUuid, SqlUuid, SqlUuid, Timestamptz, Text, Binary)
        -> dsl::SqlTypeOf<dsl::AsSelect<UserRecord, Pg>>
        = "insert_reply.sql";
    EditReply(SqlUuid, SqlUuid, Text, Binary, Timestamptz) = "edit_reply.sql";
    CountReplies(SqlUuid, SqlUuid, Integer) = "count_replies.sql";
}

impl Reader<'_> {
    /// Returns the replies to a comment, newest first, starting below one. Takes three statements.
    pub fn replies_to(
        &mut self,
        comment: &Authorized<CommentAt>,
        format: Format,
        below: Option<CommentReplyId>,
        limit: u16,
    ) -> Result<Slice<ShownReply>> {
        let space = comment.space.id;
        let replies = || {
            reply_details::table
                .filter(reply_details::space_id.eq(space))
                .filter(reply_details::comment_id.eq(comment.comment.id))
        };
        let rows: Vec<ReplyRecord> = replies()
            .filter(reply_details::id.lt(page_end(below)))
            .order(reply_details::id.desc())
            .limit(fetch_limit(limit))
            .select(reply_columns(format))
            .load(self.connection)?;
        let total = replies().count().get_result(self.connection)?;
        let slice = Slice::cut(rows, limit, total);
        let ids: Vec<_> = slice.items.iter().map(|reply| reply.id).collect();
        let mut reactions = self.reply_reactions(space, ids)?;
        slice.try_map(|reply| {
            let reactions = reactions.take(reply.id);
            Ok(ShownReply { reply, reactions })
        })
    }

    /// Returns the replies to some comments of content, oldest first. Takes one statement, or none without comments.
    pub fn replies_to_comments(
        &mut self,
        content: &Authorized<ContentAt>,
        comments: &[CommentId],
        format: Format,
        limit: u16,
    ) -> Result<Vec<(CommentId, ReplyRecord)>> {
        if comments.is_empty() {
            return Ok(Vec::new());
        }
        let rows = reply_details::table
            .filter(reply_details::space_id.eq(content.space.id))
            .filter(reply_details::comment_id.eq_any(comments))
            .order(reply_details::id)
            .limit(i64::from(limit))
            .select((reply_details::comment_id, reply_columns(format)))
            .load(self.connection)?;
        Ok(rows)
    }

    /// Returns a reply with its reactions. Takes one statement.
    pub fn show_reply(&mut self, reply: &Authorized<ReplyAt>) -> Result<ShownReply> {
        let id = reply.reply.id;
        let reactions = self.reply_reactions(reply.space.id, vec![id])?.take(id);
        Ok(ShownReply { reply: reply.reply.clone(), reactions })
    }
}

impl Tx<'_> {
    /// Posts a reply to a comment, and returns it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the comment was deleted after its lookup.
    pub fn post_reply(
        &mut self,
        comment: &Authorized<CommentAt>,
        body: WrittenBody,
        format: Format,
    ) -> Result<ShownReply> {
        let (space, comment_id) = (comment.space.id, comment.comment.id);
        // This comes first because it locks the comment: it must not be deleted before the insert.
        self.count_replies(space, comment_id, 1)?;
        let id = CommentReplyId::from_uuid(self.storage.ids().uuid());
        self.record_created("comment-reply", id);
        let posted_by = InsertReply::bind((
            space,
            id,
            comment_id,
            comment.actor().user,
            self.now,
            &body.markdown,
            body.document.as_bytes(),
        ))
        .get_result(self.connection)?;
        let event = webhooks::Event::in_space(EventKind::CommentReplyCreated, space)
            .with("commentId", comment_id)
            .with("commentReplyId", id)
            .with_some("changeRequestId", comment.comment.change_request);
        self.emit_in_space(event)?;
        self.write_comment_notice(&CommentNotice {
            space,
            change_request: comment.comment.change_request,
            comment: comment_id,
            reply: Some(id),
            author: comment.actor().user,
            mentions: body.mentions.clone(),
        })?;
        self.note_comment_change(space, comment.comment.change_request);
        let (posted_at, body) = (self.now, body.into_format(format));
        let reply = ReplyRecord { id, posted_by, posted_at, edited_at: None, body };
        Ok(ShownReply { reply, reactions: Vec::new() })
    }

    /// Returns a locked reply after its changes.
    pub fn read_reply_again(
        &mut self,
        reply: Authorized<ReplyAt>,
        format: Format,
    ) -> Result<Authorized<ReplyAt>> {
        let fresh = reply_details::table
            .find((reply.space.id, reply.reply.id))
            .filter(reply_details::comment_id.eq(reply.comment))
            .select(reply_columns(format))
            .get_result(self.connection)?;
        Ok(reply.map(|at| ReplyAt { reply: fresh, ..at }))
    }

    /// Locks a reply until the transaction ends, after its comment if `with_comment`, and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the reply no longer exists.
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
        let locked = comment_replies::table
            .find((space, id))
            .filter(comment_replies::comment_id.eq(comment))
            .select(comment_replies::id)
            .for_no_key_update();
        if locked.get_result::<Uuid>(self.connection).optional()?.is_none() {
            return Err(Error::NotFound);
        }
        self.read_reply_again(reply, format)
    }

    /// Changes a locked reply. `resolved` changes its comment, which must then be locked, too.
    pub fn update_reply(&mut self, reply: &Authorized<ReplyAt>, changes: &CommentChanges) -> Result<()> {
        let (space, comment, id) = (reply.space.id, reply.comment, reply.reply.id);
        let user = reply.actor().user;
        if let Some(resolved) = changes.resolved {
            self.resolve(space, reply.change_request, comment, resolved, user)?;
        }
        if let Some(body) = &changes.body {
            EditReply::bind((space, id, body.markdown.as_str(), body.document.as_bytes(), self.now))
                .execute(self.connection)?;
            if !body.mentions.is_empty() {
                self.write_comment_notice(&CommentNotice {
                    space,
                    change_request: reply.change_request,
                    comment,
                    reply: Some(id),
                    author: user,
                    mentions: body.mentions.clone(),
                })?;
            }
        }
        self.note_comment_change(space, reply.change_request);
        self.change_reactions(
            space,
            Subject::Reply(comment, id),
            user,
            &changes.added_reactions,
            &changes.removed_reactions,
        )
    }

    /// Deletes a reply with its reactions.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the reply no longer exists.
    pub fn delete_reply(&mut self, reply: &Authorized<ReplyAt>) -> Result<()> {
        let (space, comment) = (reply.space.id, reply.comment);
        self.count_replies(space, comment, -1)?;
        let gone = comment_replies::table
            .find((space, reply.reply.id))
            .filter(comment_replies::comment_id.eq(comment));
        let deleted = diesel::delete(gone).execute(self.connection)?;
        if deleted == 0 {
            return Err(Error::NotFound);
        }
        self.note_comment_change(space, reply.change_request);
        Ok(())
    }

    /// Adds to the reply count of a comment, which locks the comment.
    fn count_replies(&mut self, space: SpaceId, comment: CommentId, step: i32) -> Result<()> {
        let values = (space, comment, step);
        let counted = CountReplies::bind(values).execute(self.connection)?;
        if counted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}
