//! Change requests: proposed edits to a space.

mod merge;
mod query;
mod status;

use serde::{Deserialize, Serialize};

pub use self::merge::{
    ConflictedPage, MergeConflict, MergeOutcome, MergeResult, Strategy, UpdateOutcome, UpdateRequest,
    UpdateResult,
};
pub use self::query::{ChangeRequestQuery, ChangeRequestSort, InSpaceQuery};
pub use self::status::{Event, Status};
use crate::clock::Timestamp;
use crate::features::{ToSchema, Validate};
use crate::ids::{ChangeRequestId, RevisionId, SpaceId};
use crate::object::ChangeRequestTag;
use crate::policy::Action;
use crate::users::User;
use crate::{patch, texts};

/// The subject of a change request that was made without one.
pub const DEFAULT_SUBJECT: &str = "Untitled change request";

/// A change request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeRequest {
    /// Always `change-request`.
    pub object: ChangeRequestTag,
    /// The change request's id.
    pub id: ChangeRequestId,
    /// The space that it is for.
    pub space: SpaceId,
    /// 1, 2, 3… in its space. A change request can be addressed by it.
    pub number: u64,
    /// Where it stands.
    pub status: Status,
    /// What it is about, at most 100 characters.
    pub subject: String,
    /// Who made it.
    pub created_by: User,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it or its content last changed.
    pub updated_at: Timestamp,
    /// The current revision of its content.
    pub revision: RevisionId,
    /// The revision of the space that it was made from.
    pub revision_initial: RevisionId,
    /// The revision of the space that was last pulled into it; left out before the first time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub revision_merged_ancestor: Option<RevisionId>,
    /// The revision of the space that its merge made; left out until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub revision_merged: Option<RevisionId>,
    /// How many of its comments are open.
    pub comments: u64,
    /// Whether the space has changes that it lacks.
    pub outdated: bool,
    /// Where the change request is found.
    pub urls: ChangeRequestUrls,
}

/// Where a change request is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeRequestUrls {
    /// The change request in the app.
    pub app: String,
    /// The change request in this API.
    pub location: String,
}

/// The body that makes a change request. Every key is optional.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeRequestCreate {
    /// Subject; `Untitled change request` when absent.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::ChangeRequestSubject::check"))]
    #[schema(value_type = texts::ChangeRequestSubject, required = false)]
    pub subject: Option<texts::ChangeRequestSubject>,
}

/// The body that changes a change request. An absent key keeps what is there.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeRequestUpdate {
    /// What it is about.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = "texts::ChangeRequestSubject::check"))]
    #[schema(value_type = texts::ChangeRequestSubject, required = false)]
    pub subject: Option<texts::ChangeRequestSubject>,
    /// Where it shall stand.
    #[serde(deserialize_with = "patch::present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<SettableStatus>,
}

/// The statuses that a change request can be given; `merged` comes by merging only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SettableStatus {
    /// Being written.
    Draft,
    /// Up for review.
    Open,
    /// Set aside.
    Archived,
}

impl ChangeRequestUpdate {
    /// The actions that an update can need, each by the keys that it has.
    pub const ACTIONS: [Action; 4] = [
        Event::EditContent.required_action(),
        Event::SetDraft.required_action(),
        Event::SetOpen.required_action(),
        Event::SetArchived.required_action(),
    ];

    /// The actions that the update needs, all of them.
    #[must_use]
    pub fn required_actions(&self) -> Vec<Action> {
        let status = self.status.map(|status| Event::from(status).required_action());
        let others =
            (self.subject.is_some() || status.is_none()).then(|| Event::EditContent.required_action());
        status.into_iter().chain(others).collect()
    }
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
