//! Inboxes: notifications about reviews, comments and imports.

#[cfg(feature = "postgres")]
use diesel::prelude::Queryable;
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::bounds::INBOX_ENTRIES_MAX;
use crate::clock::Timestamp;
use crate::ids::{
    ChangeRequestId, CommentId, CommentReplyId, ImportId, InboxEntryId, OrganizationId, SpaceId,
};
use crate::imports::ImportState;
use crate::object::InboxEntryTag;
use crate::users::User;
use crate::{patch, text_checks};

/// Event that an entry of an inbox is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InboxEntryType {
    /// The caller, or a team of the caller, is asked to review a change request.
    ReviewRequest,
    /// A comment or reply mentions the caller.
    Mention,
    /// A reply in a thread that the caller has written in.
    Reply,
    /// A change request of the caller conflicts with its space since another one was merged.
    Conflict,
    /// An import that the caller asked for has succeeded or failed.
    Import,
}

/// Stored fields of an entry, which responses contain unchanged.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable))]
#[serde(rename_all = "camelCase")]
pub struct InboxEntryFacts {
    /// Id of the entry. Newer entries have greater ids.
    pub id: InboxEntryId,
    /// Event.
    #[serde(rename = "type")]
    pub type_: InboxEntryType,
    /// Organization of the space.
    pub organization: OrganizationId,
    /// Space.
    pub space: InboxSpace,
    /// Change request. Absent for the main content.
    pub change_request: Option<InboxChangeRequest>,
    /// Id of the comment; for a reply, of the comment that starts the thread.
    pub comment: Option<CommentId>,
    /// Id of the reply.
    pub comment_reply: Option<CommentReplyId>,
    /// Start of the comment or reply as Markdown: up to 300 characters.
    pub excerpt: Option<String>,
    /// Import.
    pub import: Option<InboxImport>,
    /// Time of the event.
    pub created_at: Timestamp,
    /// Time at which the caller marked the entry as read. Absent for an unread entry.
    pub read_at: Option<Timestamp>,
}

/// Entry of the caller's inbox.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InboxEntry {
    /// Always `inbox-entry`.
    pub object: InboxEntryTag,
    /// Facts of the entry.
    #[serde(flatten)]
    pub facts: InboxEntryFacts,
    /// User who caused the event. Absent for an import.
    pub actor: Option<User>,
    /// URLs of the entry.
    pub urls: InboxEntryUrls,
}

/// Space of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable))]
#[serde(rename_all = "camelCase")]
pub struct InboxSpace {
    /// Id of the space.
    pub id: SpaceId,
    /// Title of the space.
    pub title: String,
}

/// Change request of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable))]
#[serde(rename_all = "camelCase")]
pub struct InboxChangeRequest {
    /// Id of the change request.
    pub id: ChangeRequestId,
    /// Number of the change request.
    pub number: i32,
    /// Subject of the change request.
    pub subject: String,
}

/// Import of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "postgres", derive(Queryable))]
#[serde(rename_all = "camelCase")]
pub struct InboxImport {
    /// Id of the import.
    pub id: ImportId,
    /// State of the import.
    pub status: ImportState,
}

/// URLs of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxEntryUrls {
    /// URL in the app of the content that the entry is about.
    pub app: String,
}

/// Filter of the entries of an inbox, in addition to the parameters of every list.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct InboxQuery {
    /// `true` to return only unread entries. Default: `false`.
    #[param(required = false)]
    pub unread: bool,
}

/// Request body to mark entries of the caller's inbox as read.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InboxRead {
    /// Ids of the entries, 1 to 100. Default: all entries.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "text_checks::count::<1, INBOX_ENTRIES_MAX, _>"))]
    #[schema(min_items = 1, max_items = 100)]
    pub entries: Option<Vec<InboxEntryId>>,
}

impl InboxEntryType {
    /// Every value.
    pub const ALL: [Self; 5] =
        [Self::ReviewRequest, Self::Mention, Self::Reply, Self::Conflict, Self::Import];

    /// Returns the wire form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReviewRequest => "review-request",
            Self::Mention => "mention",
            Self::Reply => "reply",
            Self::Conflict => "conflict",
            Self::Import => "import",
        }
    }
}
