//! The life of a change request.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Reason;
use crate::transition::TransitionError;

/// Where a change request stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ChangeRequestStatus)]
pub enum Status {
    /// Being written.
    Draft,
    /// Up for review.
    Open,
    /// Set aside.
    Archived,
    /// Part of the space. Nothing leads out of it.
    Merged,
}

/// What can happen to a change request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Somebody takes it back to work on.
    SetDraft,
    /// Somebody puts it up for review.
    SetOpen,
    /// Somebody sets it aside.
    SetArchived,
    /// Its content is merged into the space.
    Merge,
    /// The space's content is pulled into it.
    Update,
    /// Somebody edits its content.
    EditContent,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Draft, Self::Open, Self::Archived, Self::Merged];

    /// The status after `event`. Drafts, open and archived ones lead to each other freely; content changes in
    /// drafts and open ones only.
    ///
    /// # Errors
    /// [`TransitionError`] when the event can't happen in this status.
    pub const fn apply(self, event: Event) -> Result<Self, TransitionError<Self, Event>> {
        match (self, event) {
            (Self::Draft | Self::Open | Self::Archived, Event::SetDraft) => Ok(Self::Draft),
            (Self::Draft | Self::Open | Self::Archived, Event::SetOpen) => Ok(Self::Open),
            (Self::Draft | Self::Open | Self::Archived, Event::SetArchived) => Ok(Self::Archived),
            (Self::Draft | Self::Open, Event::Merge) => Ok(Self::Merged),
            (Self::Draft | Self::Open, Event::Update | Event::EditContent) => Ok(self),
            (from, event) => Err(TransitionError { from, event }),
        }
    }

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Open => "open",
            Self::Archived => "archived",
            Self::Merged => "merged",
        }
    }
}

impl TransitionError<Status, Event> {
    /// Why, for the caller.
    pub const fn reason(&self) -> Reason {
        match self.from {
            Status::Merged => Reason::ChangeRequestMerged,
            Status::Draft | Status::Open | Status::Archived => Reason::ChangeRequestArchived,
        }
    }
}
