//! Lookups of comments and replies in the space or change request of their path.

mod rows;

use diesel::prelude::*;
use quire_database::functions::coalesce;
use quire_domain::clock::Timestamp;
use quire_domain::comments::{Status, TargetNode, TargetPage};
use quire_domain::documents::{Format, PresentedBody};
use quire_domain::ids::{
    ChangeRequestId, CommentId, CommentReplyId, DocumentId, ReviewId, RevisionId, SpaceId, UserId,
};
use quire_domain::policy::{Action, Relation};
use serde_json::Value;

use crate::Result;
use crate::content::change_requests::ChangeRequestKey;
use crate::content::spaces::spaces_with_access;
use crate::content::spaces::{SpaceActor, SpaceRecord, space_actor};
use crate::content::store::{ContentSelector, RevisionRecord};
use crate::detail_views::{comment_details, reply_details};
use crate::diesel_types::Json;
use crate::lookup::{Found, Guarded, UserRecord};
use crate::schema::{change_requests, comments, revisions};
use crate::transaction::Reader;
use crate::views::space_access;
use rows::{BodyColumns, NodeColumns, StatusColumns};
pub(crate) use rows::{comment_columns, reply_columns};

/// Owner of comments. The comments of a space exclude those of its change requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentsOf {
    /// Space itself.
    Space,
    /// Change request.
    ChangeRequest(ChangeRequestKey),
}

impl From<CommentsOf> for ContentSelector {
    fn from(of: CommentsOf) -> Self {
        match of {
            CommentsOf::Space => Self::Space,
            CommentsOf::ChangeRequest(key) => Self::ChangeRequest(key),
        }
    }
}

/// Stored comment.
#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct CommentRecord {
    /// Id.
    pub id: CommentId,
    /// Change request; `None` for a comment of the space itself.
    pub change_request: Option<ChangeRequestId>,
    /// Review with which the comment was posted.
    pub review: Option<ReviewId>,
    /// Author.
    pub posted_by: UserRecord,
    /// Time at which it was posted.
    pub posted_at: Timestamp,
    /// Time of the last edit of its body.
    pub edited_at: Option<Timestamp>,
    /// Body in the requested format.
    #[diesel(deserialize_as = BodyColumns)]
    pub body: PresentedBody,
    /// Open or resolved.
    #[diesel(deserialize_as = StatusColumns)]
    pub status: Status<UserRecord>,
    /// Number of replies.
    pub replies: i32,
    /// Target when the comment was posted.
    pub posted_on: PostedOn,
}

/// Target of a comment when it was posted.
#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct PostedOn {
    /// Head of the content.
    pub revision: RevisionId,
    /// Page as it was then.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub page: Option<TargetPage>,
    /// Document of the page.
    pub document: Option<DocumentId>,
    /// Node in the document.
    #[diesel(deserialize_as = NodeColumns)]
    pub node: Option<TargetNode>,
}

/// Stored reply.
#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct ReplyRecord {
    /// Id.
    pub id: CommentReplyId,
    /// Author.
    pub posted_by: UserRecord,
    /// Time at which it was posted.
    pub posted_at: Timestamp,
    /// Time of the last edit of its body.
    pub edited_at: Option<Timestamp>,
    /// Body in the requested format.
    #[diesel(deserialize_as = BodyColumns)]
    pub body: PresentedBody,
}

/// Comment with its space and content.
#[derive(Clone, Debug)]
pub struct CommentAt {
    /// Space.
    pub space: SpaceRecord,
    /// Head of the content on which the comment was posted.
    pub head: RevisionRecord,
    /// Comment.
    pub comment: CommentRecord,
}

/// Reply with its space and comment.
#[derive(Clone, Debug)]
pub struct ReplyAt {
    /// Space.
    pub space: SpaceRecord,
    /// Change request of the comment; `None` for a comment of the space itself.
    pub change_request: Option<ChangeRequestId>,
    /// Comment.
    pub comment: CommentId,
    /// Reply.
    pub reply: ReplyRecord,
}

impl Guarded for CommentAt {
    const VIEW: Action = Action::ViewSpace;

    fn is_related(&self, user: UserId, relation: Relation) -> bool {
        relation == Relation::Author && self.comment.posted_by.id() == Some(user)
    }

    fn is_deleted(&self) -> bool {
        self.space.is_deleted()
    }
}

impl Guarded for ReplyAt {
    const VIEW: Action = Action::ViewSpace;

    fn is_related(&self, user: UserId, relation: Relation) -> bool {
        relation == Relation::Author && self.reply.posted_by.id() == Some(user)
    }

    fn is_deleted(&self) -> bool {
        self.space.is_deleted()
    }
}

impl CommentsOf {
    /// Returns whether comments of this change request are included. A comment is found by its key alone, and the
    /// change request in its path is compared afterwards.
    fn includes(self, change_request: Option<(ChangeRequestId, i32)>) -> bool {
        match self {
            Self::Space => change_request.is_none(),
            Self::ChangeRequest(ChangeRequestKey::Id(id)) => {
                change_request.is_some_and(|(found, _)| found == id)
            }
            Self::ChangeRequest(ChangeRequestKey::Number(number)) => {
                change_request.is_some_and(|(_, found)| found == number)
            }
        }
    }
}

type CommentRow = (SpaceActor, SpaceRecord, RevisionRecord, Option<(ChangeRequestId, i32)>, CommentRecord);
type ReplyRow = (SpaceActor, SpaceRecord, Option<(ChangeRequestId, i32)>, ReplyRecord);

impl Reader<'_> {
    /// Returns a comment of a space or change request. One statement reads token, membership, role, parent and row.
    ///
    /// # Errors
    /// [`crate::Error::Unauthenticated`], or [`crate::Error::NotFound`] if it does not exist.
    pub fn comment(
        &mut self,
        space: SpaceId,
        of: CommentsOf,
        id: CommentId,
        format: Format,
    ) -> Result<Found<CommentAt>> {
        let commented = change_requests::space_id
            .eq(comment_details::space_id)
            .and(change_requests::id.nullable().eq(comment_details::change_request_id));
        let head =
            coalesce(change_requests::head_revision.nullable(), space_access::head_revision.nullable());
        let head = revisions::space_id.eq(space_access::content_id).and(revisions::id.nullable().eq(head));
        let row: Option<CommentRow> = spaces_with_access()
            .inner_join(comment_details::table.on(comment_details::space_id.eq(space_access::id)))
            .left_join(change_requests::table.on(commented))
            .inner_join(revisions::table.on(head))
            .filter(self.token_is_valid::<space_access::table>())
            .filter(space_access::id.eq(space))
            .filter(comment_details::id.eq(id))
            .select((
                space_actor(),
                SpaceRecord::as_select(),
                RevisionRecord::as_select(),
                (change_requests::id, change_requests::number).nullable(),
                comment_columns(format),
            ))
            .get_result(self.connection)
            .optional()?;
        let row = row.filter(|(_, _, _, change_request, _)| of.includes(*change_request));
        let Some((actor, space, head, _, comment)) = row else { return self.not_found() };
        self.record_tenant(space.organization, Some(space.id));
        self.found(actor, CommentAt { space, head, comment })
    }

    /// Returns a reply to a comment of a space or change request. Takes one statement.
    ///
    /// # Errors
    /// [`crate::Error::Unauthenticated`], or [`crate::Error::NotFound`] if it does not exist.
    pub fn comment_reply(
        &mut self,
        space: SpaceId,
        of: CommentsOf,
        comment: CommentId,
        id: CommentReplyId,
        format: Format,
    ) -> Result<Found<ReplyAt>> {
        let replied =
            comments::space_id.eq(reply_details::space_id).and(comments::id.eq(reply_details::comment_id));
        let commented = change_requests::space_id
            .eq(comments::space_id)
            .and(change_requests::id.nullable().eq(comments::change_request_id));
        let row: Option<ReplyRow> = spaces_with_access()
            .inner_join(reply_details::table.on(reply_details::space_id.eq(space_access::id)))
            .inner_join(comments::table.on(replied))
            .left_join(change_requests::table.on(commented))
            .filter(self.token_is_valid::<space_access::table>())
            .filter(space_access::id.eq(space))
            .filter(comments::id.eq(comment))
            .filter(reply_details::id.eq(id))
            .select((
                space_actor(),
                SpaceRecord::as_select(),
                (change_requests::id, change_requests::number).nullable(),
                reply_columns(format),
            ))
            .get_result(self.connection)
            .optional()?;
        let row = row.filter(|(_, _, change_request, _)| of.includes(*change_request));
        let Some((actor, space, change_request, reply)) = row else { return self.not_found() };
        self.record_tenant(space.organization, Some(space.id));
        let change_request = change_request.map(|(id, _)| id);
        self.found(actor, ReplyAt { space, change_request, comment, reply })
    }
}
