//! Comments and replies, in the space or change request that their path names.

mod rows;

use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Nullable, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::comments::{CommentBody, Status, TargetNode, TargetPage};
use quire_domain::documents::Format;
use quire_domain::ids::{
    ChangeRequestId, CommentId, CommentReplyId, DocumentId, ReviewId, RevisionId, SpaceId, UserId,
};
use quire_domain::policy::{Action, Relation};
use uuid::Uuid;

use super::actor::{ActorColumns, UserRecord, actor_columns, valid_token};
use super::change_requests::ChangeRequestKey;
use super::content::{ContentSelector, RevisionColumns, RevisionRecord, revision_columns};
use super::spaces::{
    SpaceColumns, SpaceRecord, StandingColumns, space_columns, space_standing, token_and_space,
};
use super::{Found, Guarded};
pub(crate) use rows::{CommentColumns, ReplyColumns, comment_columns, comment_users, reply_columns};

use crate::Result;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// Whose comments are meant. Those of a change request are not the space's, nor the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentsOf {
    /// The space's own.
    Space,
    /// A change request's.
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

/// A comment as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct CommentRecord {
    /// Its id.
    pub id: CommentId,
    /// Its change request; `None` when it is the space's own.
    pub change_request: Option<ChangeRequestId>,
    /// The review that it came with.
    pub review: Option<ReviewId>,
    /// Who posted it.
    pub posted_by: UserRecord,
    /// When it was posted.
    pub posted_at: Timestamp,
    /// When its body was last edited.
    pub edited_at: Option<Timestamp>,
    /// What it says, in the format that was asked for.
    pub body: CommentBody,
    /// Whether it waits for an answer.
    pub status: Status<UserRecord>,
    /// How many replies it has.
    pub replies: i32,
    /// What it was about when it was posted.
    pub posted_on: PostedOn,
}

/// What a comment was about when it was posted.
#[derive(Clone, Debug, PartialEq)]
pub struct PostedOn {
    /// The head at that time.
    pub revision: RevisionId,
    /// The page as it was.
    pub page: Option<TargetPage>,
    /// The page's document.
    pub document: Option<DocumentId>,
    /// The node of that document.
    pub node: Option<TargetNode>,
}

/// A reply as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyRecord {
    /// Its id.
    pub id: CommentReplyId,
    /// Who posted it.
    pub posted_by: UserRecord,
    /// When it was posted.
    pub posted_at: Timestamp,
    /// When its body was last edited.
    pub edited_at: Option<Timestamp>,
    /// What it says, in the format that was asked for.
    pub body: CommentBody,
}

/// A comment with where it was found.
#[derive(Clone, Debug)]
pub struct CommentAt {
    /// The space.
    pub space: SpaceRecord,
    /// The current revision of the content that it was posted on.
    pub head: RevisionRecord,
    /// The comment.
    pub comment: CommentRecord,
}

/// A reply with where it was found.
#[derive(Clone, Debug)]
pub struct ReplyAt {
    /// The space.
    pub space: SpaceRecord,
    /// The change request of the comment; `None` when that is the space's own.
    pub change_request: Option<ChangeRequestId>,
    /// The comment.
    pub comment: CommentId,
    /// The reply.
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

/// The change request that a comment really belongs to.
#[derive(QueryableByName)]
struct PlaceColumns {
    #[diesel(sql_type = Nullable<SqlUuid>)]
    place_change_request: Option<Uuid>,
    #[diesel(sql_type = Nullable<Integer>)]
    place_number: Option<i32>,
}

impl PlaceColumns {
    /// A comment is found by its key alone; whether its path names the right place is seen here.
    fn is(&self, of: CommentsOf) -> bool {
        match of {
            CommentsOf::Space => self.place_change_request.is_none(),
            CommentsOf::ChangeRequest(ChangeRequestKey::Id(id)) => {
                self.place_change_request == Some(*id.as_uuid())
            }
            CommentsOf::ChangeRequest(ChangeRequestKey::Number(number)) => self.place_number == Some(number),
        }
    }
}

statements! {
    FindComment = concat!(
        "SELECT ", actor_columns!(), ", ", space_standing!(), ", ", space_columns!(), ", ", revision_columns!(),
        ", cr.id AS place_change_request, cr.number AS place_number, ", comment_columns!("$5"),
        " FROM ", token_and_space!(),
        " JOIN comments cm ON cm.space_id = s.id \
          LEFT JOIN change_requests cr ON cr.space_id = cm.space_id AND cr.id = cm.change_request_id \
          JOIN revisions r ON r.space_id = s.id AND r.id = coalesce(cr.head_revision, s.head_revision)",
        comment_users!(), " WHERE ", valid_token!(), " AND s.id = $3 AND cm.id = $4"
    );
    FindReply = concat!(
        "SELECT ", actor_columns!(), ", ", space_standing!(), ", ", space_columns!(),
        ", cr.id AS place_change_request, cr.number AS place_number, ", reply_columns!("$6"),
        " FROM ", token_and_space!(),
        " JOIN comment_replies rp ON rp.space_id = s.id \
          JOIN comments cm ON cm.space_id = rp.space_id AND cm.id = rp.comment_id \
          LEFT JOIN change_requests cr ON cr.space_id = cm.space_id AND cr.id = cm.change_request_id \
          LEFT JOIN users poster ON poster.id = rp.posted_by WHERE ",
        valid_token!(), " AND s.id = $3 AND cm.id = $4 AND rp.id = $5"
    );
}

type CommentRow =
    (ActorColumns, StandingColumns, SpaceColumns, RevisionColumns, PlaceColumns, CommentColumns);
type ReplyRow = (ActorColumns, StandingColumns, SpaceColumns, PlaceColumns, ReplyColumns);

impl Reader<'_> {
    /// A comment of a space or change request: one statement for token, membership, role, place and row.
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
        let row: Option<CommentRow> = FindComment::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Bool, _>(format == Format::Document),
        ))
        .get_result(self.connection)
        .optional()?;
        let row = row.filter(|(_, _, _, _, place, _)| place.is(of));
        let Some((actor, standing, space, head, _, comment)) = row else { return self.not_found() };
        let space = SpaceRecord::try_from(space)?;
        self.reach(space.organization, Some(space.id));
        let value = CommentAt { space, head: head.try_into()?, comment: comment.try_into()? };
        self.found(actor, &standing, value)
    }

    /// A reply to a comment of a space or change request: one statement.
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
        let row: Option<ReplyRow> = FindReply::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<SqlUuid, _>(*comment.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Bool, _>(format == Format::Document),
        ))
        .get_result(self.connection)
        .optional()?;
        let row = row.filter(|(_, _, _, place, _)| place.is(of));
        let Some((actor, standing, space, place, reply)) = row else { return self.not_found() };
        let space = SpaceRecord::try_from(space)?;
        self.reach(space.organization, Some(space.id));
        let value = ReplyAt {
            space,
            change_request: place.place_change_request.map(ChangeRequestId::from_uuid),
            comment,
            reply: reply.try_into()?,
        };
        self.found(actor, &standing, value)
    }
}
