//! Change requests: proposed edits to a space.

mod merge;
mod query;
mod status;
pub(crate) mod subject;
mod viewed;

use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

pub use self::merge::{
    BlockConflict, ConflictResolution, ConflictedPage, MergeConflict, MergeOutcome, MergeRequest,
    MergeResult, MergedRevisions, Strategy, Taken, UpdateOutcome, UpdateRequest, UpdateResult,
};
pub use self::query::{ChangeRequestQuery, ChangeRequestSort, ChangedPageQuery, InSpaceQuery};
pub use self::status::{Event, Status};
pub use self::subject::DEFAULT_SUBJECT;
pub use self::viewed::ViewedPages;
use crate::clock::Timestamp;
use crate::documents::{CommentBody, DocumentBody, PresentedBody};
use crate::ids::{ChangeRequestId, RevisionId, SpaceId};
use crate::merge_rules::MergeBlock;
use crate::object::ChangeRequestTag;
use crate::patch::Patch;
use crate::policy::Action;
use crate::users::User;
use crate::{documents, patch, texts};

/// A change request.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeRequest {
    /// Always `change-request`.
    pub object: ChangeRequestTag,
    /// Id of the change request.
    pub id: ChangeRequestId,
    /// Id of the space.
    pub space: SpaceId,
    /// Number of the change request in its space, from 1. Accepted in paths instead of the id.
    pub number: u64,
    /// Status of the change request.
    pub status: Status,
    /// Subject of the change request, at most 100 characters.
    pub subject: String,
    /// User who created the change request.
    pub created_by: User,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change to the change request or its content.
    pub updated_at: Timestamp,
    /// Current revision of the change request's content.
    pub revision: RevisionId,
    /// Revision of the space from which the change request was created.
    pub revision_initial: RevisionId,
    /// Revision of the space that was last merged into the change request. Absent before the first update.
    pub revision_merged_ancestor: Option<RevisionId>,
    /// Revision of the space that the merge created. Absent until the merge.
    pub revision_merged: Option<RevisionId>,
    /// Number of open comments.
    pub comments: u64,
    /// `true` if the space has changes that the change request does not contain.
    pub outdated: bool,
    /// Description of the change request. Absent where `permissions` are, and for a change request without
    /// one.
    #[schema(value_type = Option<DocumentBody>)]
    pub description: Option<PresentedBody>,
    /// URLs of the change request.
    pub urls: ChangeRequestUrls,
    /// Permissions of the caller. Absent in lists, as a part of other resources, and for visitors of sites.
    pub permissions: Option<ChangeRequestPermissions>,
    /// Rules for merging that the change request does not meet. Absent where `permissions` are, and if the caller's
    /// role or the status does not allow a merge.
    pub merge_blocked_by: Option<Vec<MergeBlock>>,
}

/// Permissions of the caller on a change request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeRequestPermissions {
    /// `true` if the caller may merge the change request: the role and the status allow it, and the rules are met.
    pub merge: bool,
    /// `true` if the caller may merge the change request with `bypassRules` although rules are not met.
    pub bypass_rules: bool,
}

/// URLs of a change request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeRequestUrls {
    /// URL of the change request in the app.
    pub app: String,
    /// URL of the change request in this API.
    pub location: String,
}

/// Request body to create a change request. Every key is optional.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeRequestCreate {
    /// Subject of the change request. Default: `Untitled change request`.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::ChangeRequestSubject::check"))]
    #[schema(value_type = texts::ChangeRequestSubject, required = false)]
    pub subject: Option<texts::ChangeRequestSubject>,
    /// Description of the change request, 1 to 50,000 characters.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "documents::check_comment"))]
    #[schema(nullable = false)]
    pub description: Option<CommentBody>,
}

/// Request body to update a change request. Absent keys leave their values unchanged.
#[skip_serializing_none]
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeRequestUpdate {
    /// Subject of the change request.
    #[serde(deserialize_with = "patch::present")]
    #[validate(custom(function = "texts::ChangeRequestSubject::check"))]
    #[schema(value_type = texts::ChangeRequestSubject, required = false)]
    pub subject: Option<texts::ChangeRequestSubject>,
    /// Description of the change request, 1 to 50,000 characters. `null` removes it.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[validate(custom(function = "check_description"))]
    #[schema(value_type = Option<DocumentBody>)]
    pub description: Patch<CommentBody>,
    /// New status.
    #[serde(deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    pub status: Option<SettableStatus>,
}

/// Statuses that a request can set. `merged` is set only by merging.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SettableStatus {
    /// In progress.
    Draft,
    /// Ready for review.
    Open,
    /// Closed without a merge.
    Archived,
}

impl ChangeRequestUpdate {
    /// Actions that an update can require, depending on its keys.
    pub const ACTIONS: [Action; 4] = [
        Event::EditContent.required_action(),
        Event::SetDraft.required_action(),
        Event::SetOpen.required_action(),
        Event::SetArchived.required_action(),
    ];

    /// Returns all actions that the update requires.
    #[must_use]
    pub fn required_actions(&self) -> Vec<Action> {
        let status = self.status.map(|status| Event::from(status).required_action());
        let others = (self.subject.is_some() || !self.description.is_keep() || status.is_none())
            .then(|| Event::EditContent.required_action());
        status.into_iter().chain(others).collect()
    }
}

fn check_description(description: &Patch<CommentBody>) -> Result<(), ValidationError> {
    description.set().map_or(Ok(()), documents::check_comment)
}

impl From<SettableStatus> for Event {
    fn from(status: SettableStatus) -> Self {
        match status {
            SettableStatus::Draft => Self::SetDraft,
            SettableStatus::Open => Self::SetOpen,
            SettableStatus::Archived => Self::SetArchived,
        }
    }
}
