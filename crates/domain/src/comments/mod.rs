//! Comments on spaces and change requests, and their replies.

mod bodies;
mod emojis;
mod query;
mod status;

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;

pub use self::bodies::{CommentCreate, CommentQuoteCreate, CommentReplyCreate, CommentUpdate};
pub use self::emojis::{emoji_spellings, is_same_emoji};
pub use self::query::{CommentListQuery, CommentReplyListQuery, FormatQuery, StatusFilter};
pub use self::status::{CommentResolution, Event, Status, StatusName};
use crate::clock::Timestamp;
pub use crate::documents::CommentBody;
use crate::documents::{DocumentBody, PresentedBody};
use crate::ids::{ChangeRequestId, CommentId, CommentReplyId, PageId, RevisionId, SpaceId};
use crate::object::{CommentReplyTag, CommentTag};
use crate::policy::{Action, Relation, allows_related};
use crate::role::Role;
use crate::users::User;

/// A comment.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// Always `comment`.
    pub object: CommentTag,
    /// Id of the comment.
    pub id: CommentId,
    /// User who wrote the comment.
    pub posted_by: User,
    /// Time of posting.
    pub posted_at: Timestamp,
    /// Time of the last edit of the text. Absent if never edited.
    #[schema(nullable = false)]
    pub edited_at: Option<Timestamp>,
    /// Reactions to the comment.
    pub reactions: Vec<Reaction>,
    /// Number of replies.
    pub replies: u64,
    /// Users who replied, in the order of their first replies.
    pub repliers: Vec<Replier>,
    /// Text of the comment.
    #[schema(value_type = DocumentBody)]
    pub body: PresentedBody,
    /// Subject of the comment: space, change request, page or node.
    pub target: CommentTarget,
    /// URLs of the comment.
    pub urls: CommentUrls,
    /// Permissions of the caller on the comment.
    pub permissions: CommentPermissions,
    /// Resolution of the comment: `status`, and for a resolved comment `resolvedAt` and `resolvedBy`.
    #[serde(flatten)]
    #[schema(value_type = CommentResolution)]
    pub status: Status<User>,
}

/// A reply to a comment.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentReply {
    /// Always `comment-reply`.
    pub object: CommentReplyTag,
    /// Id of the reply.
    pub id: CommentReplyId,
    /// User who wrote the reply.
    pub posted_by: User,
    /// Time of posting.
    pub posted_at: Timestamp,
    /// Time of the last edit of the text. Absent if never edited.
    #[schema(nullable = false)]
    pub edited_at: Option<Timestamp>,
    /// Reactions to the reply.
    pub reactions: Vec<Reaction>,
    /// Text of the reply.
    #[schema(value_type = DocumentBody)]
    pub body: PresentedBody,
    /// URLs of the reply.
    pub urls: CommentUrls,
    /// Permissions of the caller on the reply.
    pub permissions: CommentPermissions,
}

/// Reaction to a comment or reply, with the users who gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Reaction)]
pub struct Reaction<U = User> {
    /// Emoji of the reaction.
    pub emoji: String,
    /// Number of users who gave the reaction.
    pub count: u64,
    /// Users who gave the reaction.
    #[schema(value_type = Vec<ReactionUser>)]
    pub users: Vec<ReactionUser<U>>,
}

/// User who gave a reaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReactionUser)]
pub struct ReactionUser<U = User> {
    /// User.
    #[schema(value_type = User)]
    pub user: U,
    /// Time of the reaction.
    pub reacted_at: Timestamp,
}

/// User who replied to a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Replier)]
pub struct Replier<U = User> {
    /// User.
    #[schema(value_type = User)]
    pub user: U,
    /// Number of replies by the user.
    pub count: u64,
    /// Time of the last reply or edit of one.
    pub updated_at: Timestamp,
}

/// Subject of a comment.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentTarget {
    /// Id of the space.
    pub space: SpaceId,
    /// Revision that was current when the comment was posted.
    pub revision: RevisionId,
    /// Id of the change request. Absent for comments on the space itself.
    pub change_request: Option<ChangeRequestId>,
    /// Id of the review that the comment belongs to. Absent for other comments.
    pub review: Option<String>,
    /// Page that the comment is about. Absent if it is not about a page.
    pub page: Option<TargetPage>,
    /// Node of the page's document that the comment is about. Absent if it is not about a node.
    pub node: Option<TargetNode>,
    /// Location of that node in the current document of the page. Absent if the comment is not about a node.
    pub anchor: Option<NodeAnchor>,
}

/// Location of a comment's node in the current document of the page.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CommentAnchor)]
pub struct NodeAnchor {
    /// Key of the node in the current document. Absent if the node is deleted.
    pub node: Option<String>,
    /// State of the node.
    pub state: NodeState,
    /// Location of the node on another page of the change request. Absent unless `state` is `deleted` and another page
    /// has gained a block of the same type with at least half of the words.
    pub moved_to: Option<MovedNode>,
}

/// Location of a comment's node on another page.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CommentMovedNode)]
pub struct MovedNode {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub page: PageId,
    /// Key of the node in the document of that page.
    pub node: String,
    /// Zero-based position of the quoted words in the text of that node, in Unicode code points. Absent without quoted
    /// words, or if the node no longer has them.
    pub offset: Option<usize>,
}

/// State of a comment's node in the current document of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CommentAnchorState)]
pub enum NodeState {
    /// Has the key that it had when the comment was posted.
    Present,
    /// Has another key.
    Moved,
    /// Not found in the current document, or the page has none any more.
    Deleted,
}

/// Page that a comment is about.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TargetPage {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub id: PageId,
    /// Title of the page.
    pub title: String,
    /// Emoji of the page.
    pub emoji: Option<String>,
    /// Icon name of the page.
    pub icon: Option<String>,
    /// Time of the first edit.
    pub created_at: Option<Timestamp>,
    /// Time of the last edit.
    pub updated_at: Option<Timestamp>,
    /// Path of the page.
    pub path: String,
    /// `true` if the document has changed since the comment was posted.
    pub outdated: bool,
}

/// Node of a document that a comment is about.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TargetNode {
    /// Key of the node in the current document. For a deleted node, its key when the comment was posted.
    pub id: String,
    /// Text of the node when the comment was posted.
    pub preview: Option<String>,
    /// Words of the node that the comment is about. Absent if it is about the whole node.
    pub quote: Option<NodeQuote>,
}

/// Words of a node that a comment is about.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CommentQuote)]
pub struct NodeQuote {
    /// The words when the comment was posted.
    pub text: String,
    /// Zero-based position of the words in the current text of the node, in Unicode code points. Absent if the node no
    /// longer has them.
    pub offset: Option<usize>,
}

impl NodeQuote {
    /// Returns the quotation without its offset, for words that the node no longer has.
    #[must_use]
    pub fn without_offset(self) -> Self {
        Self { offset: None, ..self }
    }
}

/// URLs of a comment or reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentUrls {
    /// URL of the comment or reply in this API.
    pub location: String,
}

/// Permissions of the caller on a comment or reply.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentPermissions {
    /// `true` if the caller may read it.
    pub view: bool,
    /// `true` if the caller may edit it.
    pub edit: bool,
    /// `true` if the caller may reply and react.
    #[schema(nullable = false)]
    pub reply: Option<bool>,
    /// `true` if the caller may delete it.
    pub delete: bool,
}

impl CommentPermissions {
    /// Returns the permissions of a user with `role` on the space, who may be the author.
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
