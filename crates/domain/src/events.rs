//! Events of a stream, and the presence of users in content.

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::Validate;

use crate::change_requests::Status;
use crate::ids::{ChangeRequestId, ImportId, PageId, RevisionId, SpaceId};
use crate::imports::{ImportPhase, ImportProgress, ImportState};
use crate::users::User;
use crate::{patch, texts};

/// Data of an event in a stream. Each has the present value, so that a client may skip earlier ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Event {
    /// Revision of the content.
    Content(ContentEvent),
    /// Numbers of comments.
    Comments(CommentsEvent),
    /// Numbers of reviews of the change request.
    Reviews(ReviewsEvent),
    /// Status of the change request.
    Status(StatusEvent),
    /// State of the change request against the content of the space.
    Outdated(OutdatedEvent),
    /// Users who have the content open.
    Presence(PresenceEvent),
    /// Number of unread entries in the inbox of the caller.
    Inbox(InboxEvent),
    /// State of an import.
    Import(ImportEvent),
}

impl Event {
    /// Returns the name of the event in a stream.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Content(_) => "content",
            Self::Comments(_) => "comments",
            Self::Reviews(_) => "reviews",
            Self::Status(_) => "status",
            Self::Outdated(_) => "outdated",
            Self::Presence(_) => "presence",
            Self::Inbox(_) => "inbox",
            Self::Import(_) => "import",
        }
    }
}

/// Data of a `content` event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentEvent {
    /// Current revision.
    pub revision: RevisionId,
}

/// Data of a `comments` event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentsEvent {
    /// Number of open comments.
    pub open: i32,
    /// Number of resolved comments.
    pub resolved: i32,
    /// Number of changes of comments, replies and reactions so far.
    pub changes: i32,
}

/// Data of a `reviews` event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewsEvent {
    /// Number of reviews.
    pub reviews: i64,
    /// Number of requested reviewers.
    pub requested_reviewers: i64,
}

/// Data of a `status` event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusEvent {
    /// Status of the change request.
    pub status: Status,
}

/// Data of an `outdated` event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutdatedEvent {
    /// `true` if the space has newer content that the change request lacks.
    pub outdated: bool,
}

/// Data of a `presence` event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PresenceEvent {
    /// Other users who have the content open.
    pub users: Vec<PresentUser>,
}

/// User who has content open.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PresentUser {
    /// User.
    pub user: User,
    /// Page that is open.
    pub page: Option<PageId>,
    /// Key of the node that the caret is in.
    pub block: Option<String>,
    /// `true` while the user types.
    pub typing: bool,
}

/// Data of an `inbox` event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InboxEvent {
    /// Number of unread entries.
    pub unread: u64,
}

/// Data of an `import` event.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportEvent {
    /// Import.
    pub import: ImportId,
    /// State.
    pub status: ImportState,
    /// Phase, once it has begun.
    pub phase: Option<ImportPhase>,
    /// Progress within the phase.
    pub progress: ImportProgress,
}

/// Request body to note that the caller has content open.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PresenceUpdate {
    /// Id of the space.
    pub space: SpaceId,
    /// Id of the change request. Default: the main content of the space.
    #[serde(default, deserialize_with = "patch::present")]
    pub change_request: Option<ChangeRequestId>,
    /// Id of the page that is open.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub page: Option<PageId>,
    /// Key of the node in the document of the page that the caret is in.
    #[serde(default, deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::NodeId::check"))]
    pub block: Option<texts::NodeId>,
    /// `true` while the caller types. Default: `false`.
    #[serde(default)]
    pub typing: bool,
}
