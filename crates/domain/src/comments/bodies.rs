//! What is sent to post and change comments and replies.

use crate::features::{ToSchema, Validate};
use serde::{Deserialize, Serialize};

use crate::bounds::REACTIONS_MAX;
use crate::documents::{self, CommentBody};
use crate::ids::PageId;
use crate::{patch, text, texts};

/// The body that posts a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentCreate {
    /// What it says.
    #[validate(custom(function = "documents::check_comment"))]
    pub body: CommentBody,
    /// The page that it is about.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = "uuid", required = false)]
    pub page: Option<PageId>,
    /// The node of the page's document that it is about.
    #[serde(default, deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::NodeId::check"))]
    #[schema(value_type = texts::NodeId, required = false)]
    pub node: Option<String>,
}

/// The body that posts a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentReplyCreate {
    /// What it says.
    #[validate(custom(function = "documents::check_comment"))]
    pub body: CommentBody,
}

/// The body that changes a comment or reply. An absent key keeps what is there.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CommentUpdate {
    /// Resolve it, or open it again. On a reply of a change request it is the comment that is meant; on a reply of a space
    /// it is ignored.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolved: Option<bool>,
    /// What it shall say.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    #[validate(custom(function = "documents::check_comment"))]
    pub body: Option<CommentBody>,
    /// Emojis that the caller reacts with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[validate(custom(function = "text::emojis::<REACTIONS_MAX>"))]
    #[schema(value_type = Vec<texts::Emoji>, max_items = 50, required = false)]
    pub added_reactions: Vec<String>,
    /// Emojis that the caller takes back, after those were added.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[validate(custom(function = "text::emojis::<REACTIONS_MAX>"))]
    #[schema(value_type = Vec<texts::Emoji>, max_items = 50, required = false)]
    pub removed_reactions: Vec<String>,
}
