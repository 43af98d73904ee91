//! Path parameters of comments.

use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::comments::CommentsOf;

use crate::prelude::*;

/// Path of the comments of a space or change request.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentsPath {
    /// Space.
    pub space_id: SpaceId,
    change_request_id: Option<ChangeRequestKey>,
}

/// Path of a comment.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentPath {
    /// Space.
    pub space_id: SpaceId,
    change_request_id: Option<ChangeRequestKey>,
    /// Comment.
    pub comment_id: CommentId,
}

/// Path of a reply.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplyPath {
    /// Space.
    pub space_id: SpaceId,
    change_request_id: Option<ChangeRequestKey>,
    /// Comment.
    pub comment_id: CommentId,
    /// Reply.
    pub comment_reply_id: CommentReplyId,
}

impl CommentsPath {
    /// Returns the space or change request of the comments.
    pub fn of(&self) -> CommentsOf {
        of(self.change_request_id)
    }
}

impl CommentPath {
    /// Returns the space or change request of the comment.
    pub fn of(&self) -> CommentsOf {
        of(self.change_request_id)
    }
}

impl ReplyPath {
    /// Returns the space or change request of the comment.
    pub fn of(&self) -> CommentsOf {
        of(self.change_request_id)
    }
}

fn of(change_request: Option<ChangeRequestKey>) -> CommentsOf {
    change_request.map_or(CommentsOf::Space, CommentsOf::ChangeRequest)
}
