//! Inbox entries about comments and replies.

use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{ChangeRequestId, CommentId, CommentReplyId, SpaceId, UserId};

use crate::Result;
use crate::transaction::Tx;

sql_files! {
    AddComment(
        SqlUuid, SqlUuid, SqlUuid, Timestamptz, Nullable<SqlUuid>, SqlUuid, Nullable<SqlUuid>, Array<SqlUuid>,
    ) = "add_comment.sql";
}

/// Comment or reply about which users are notified.
#[derive(Clone, Debug)]
pub(crate) struct CommentNotice {
    pub(crate) space: SpaceId,
    pub(crate) change_request: Option<ChangeRequestId>,
    pub(crate) comment: CommentId,
    pub(crate) reply: Option<CommentReplyId>,
    pub(crate) author: UserId,
    /// Users mentioned in the text.
    pub(crate) mentions: Vec<UserId>,
}

impl Tx<'_> {
    /// Writes the inbox entries for the users that a comment or reply concerns. Takes one statement, or none for a
    /// comment that mentions no user. The comment must have been written before.
    pub(crate) fn write_comment_notice(&mut self, notice: &CommentNotice) -> Result<()> {
        let CommentNotice { space, change_request, comment, reply, author, mentions } = notice;
        if mentions.is_empty() && reply.is_none() {
            return Ok(());
        }
        let mentions = mentions.to_vec();
        AddComment::bind((
            space,
            self.storage.ids().uuid(),
            author,
            self.now,
            change_request,
            comment,
            reply,
            mentions,
        ))
        .execute(self.connection)?;
        Ok(())
    }
}
