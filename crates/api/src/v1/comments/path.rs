//! The parameters of the paths to comments.

use quire_domain::ids::{CommentId, CommentReplyId, SpaceId};
use quire_storage::lookup::{ChangeRequestKey, CommentsOf};
use serde::Deserialize;

/// The path to the comments of a space or change request.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentsPath {
    /// The space.
    pub space_id: SpaceId,
    change_request_id: Option<ChangeRequestKey>,
}

/// The path to a comment.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentPath {
    /// The space.
    pub space_id: SpaceId,
    change_request_id: Option<ChangeRequestKey>,
    /// The comment.
    pub comment_id: CommentId,
}

/// The path to a reply.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplyPath {
    /// The space.
    pub space_id: SpaceId,
    change_request_id: Option<ChangeRequestKey>,
    /// The comment.
    pub comment_id: CommentId,
    /// The reply.
    pub comment_reply_id: CommentReplyId,
}

impl CommentsPath {
    /// Whose comments they are.
    pub fn of(&self) -> CommentsOf {
        of(self.change_request_id)
    }
}

impl CommentPath {
    /// Whose comment it is.
    pub fn of(&self) -> CommentsOf {
        of(self.change_request_id)
    }
}

impl ReplyPath {
    /// Whose comment is replied to.
    pub fn of(&self) -> CommentsOf {
        of(self.change_request_id)
    }
}

fn of(change_request: Option<ChangeRequestKey>) -> CommentsOf {
    change_request.map_or(CommentsOf::Space, CommentsOf::ChangeRequest)
}
