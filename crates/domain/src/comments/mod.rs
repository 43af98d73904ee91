//! Comments on spaces and change requests, and the replies to them.

mod bodies;
mod query;
mod status;

use serde::{Deserialize, Serialize};

pub use self::bodies::{CommentCreate, CommentReplyCreate, CommentUpdate};
pub use self::query::{CommentListQuery, CommentReplyListQuery, FormatQuery, Order, StatusFilter};
pub use self::status::{CommentResolution, Event, Status, StatusName};
use crate::clock::Timestamp;
pub use crate::documents::CommentBody;
use crate::features::ToSchema;
use crate::ids::{ChangeRequestId, CommentId, CommentReplyId, PageId, RevisionId, SpaceId};
use crate::object::{CommentReplyTag, CommentTag};
use crate::policy::{Action, Relation, allows_related};
use crate::role::Role;
use crate::users::User;

/// A comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// Always `comment`.
    pub object: CommentTag,
    /// The comment's id.
    pub id: CommentId,
    /// Who wrote it.
    pub posted_by: User,
    /// When it was posted.
    pub posted_at: Timestamp,
    /// When its body was last edited; left out when never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub edited_at: Option<Timestamp>,
    /// The reactions to it.
    pub reactions: Vec<Reaction>,
    /// How many replies it has.
    pub replies: u64,
    /// What it says.
    pub body: CommentBody,
    /// What it is about.
    pub target: CommentTarget,
    /// Where the comment is found.
    pub urls: CommentUrls,
    /// What the caller may do.
    pub permissions: CommentPermissions,
    /// Whether it still waits for an answer: `status`, and `resolvedAt` and `resolvedBy` when it doesn't.
    #[serde(flatten)]
    #[schema(value_type = CommentResolution)]
    pub status: Status<User>,
}

/// A reply to a comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentReply {
    /// Always `comment-reply`.
    pub object: CommentReplyTag,
    /// The reply's id.
    pub id: CommentReplyId,
    /// Who wrote it.
    pub posted_by: User,
    /// When it was posted.
    pub posted_at: Timestamp,
    /// When its body was last edited; left out when never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub edited_at: Option<Timestamp>,
    /// The reactions to it.
    pub reactions: Vec<Reaction>,
    /// What it says.
    pub body: CommentBody,
    /// Where the reply is found.
    pub urls: CommentUrls,
    /// What the caller may do.
    pub permissions: CommentPermissions,
}

/// A reaction to a comment or reply, with everybody who gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    /// The emoji.
    pub emoji: String,
    /// How many gave it.
    pub count: u64,
    /// Who gave it.
    pub users: Vec<ReactionUser>,
}

/// Somebody who gave a reaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReactionUser {
    /// Who.
    pub user: User,
    /// When.
    pub reacted_at: Timestamp,
}

/// What a comment is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentTarget {
    /// The space.
    pub space: SpaceId,
    /// The revision that was current when it was posted.
    pub revision: RevisionId,
    /// The change request; left out on a comment of the space itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub change_request: Option<ChangeRequestId>,
    /// The review that it came with; left out without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub review: Option<String>,
    /// The page; left out when it is about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub page: Option<TargetPage>,
    /// The node of the page's document; left out when it is about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub node: Option<TargetNode>,
}

/// The page that a comment is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TargetPage {
    /// The page's id.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Its title.
    pub title: String,
    /// Its emoji.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub emoji: Option<String>,
    /// The name of its icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// When it was first edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub created_at: Option<Timestamp>,
    /// When it was last edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub updated_at: Option<Timestamp>,
    /// Its path.
    pub path: String,
    /// Whether its document changed since the comment was posted.
    pub outdated: bool,
}

/// The node of a document that a comment is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TargetNode {
    /// The node's key.
    pub id: String,
    /// Its text when the comment was posted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub preview: Option<String>,
}

/// Where a comment or reply is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentUrls {
    /// The comment or reply in this API.
    pub location: String,
}

/// What the caller may do with a comment or reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentPermissions {
    /// Read it.
    pub view: bool,
    /// Edit it.
    pub edit: bool,
    /// Reply and react to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reply: Option<bool>,
    /// Delete it.
    pub delete: bool,
}

impl CommentPermissions {
    /// The permissions of a user with `role` on the space, who may be the author of the comment or reply.
    pub fn of(role: Option<Role>, is_author: bool) -> Self {
        let may = |action| allows_related(role, is_author.then_some(Relation::Author), action);
        Self {
            view: may(Action::ViewSpace),
            edit: may(Action::EditComment),
            reply: Some(may(Action::CommentOnSpace)),
            delete: may(Action::DeleteComment),
        }
    }
}
