//! The life of a change request.

use serde::{Deserialize, Serialize};

use crate::error::Reason;
use crate::features::ToSchema;
use crate::policy::Action;
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
    /// Somebody is asked for a review, or gives one.
    Review,
}

impl Event {
    /// The action that the event needs.
    pub const fn required_action(self) -> Action {
        match self {
            Self::SetDraft | Self::SetOpen | Self::SetArchived | Self::Update | Self::EditContent => {
                Action::EditContent
            }
            Self::Merge => Action::MergeChangeRequest,
            Self::Review => Action::ReviewContent,
        }
    }
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
            (Self::Draft | Self::Open, Event::Update | Event::EditContent | Event::Review) => Ok(self),
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

#[cfg(test)]
mod tests {
    use super::Event::{EditContent, Merge, Review, SetArchived, SetDraft, SetOpen, Update};
    use super::Status::{Archived, Draft, Merged, Open};
    use super::*;

    #[test]
    fn every_event_in_every_status() {
        let merged = Err(Reason::ChangeRequestMerged);
        let archived = Err(Reason::ChangeRequestArchived);
        #[rustfmt::skip]
        let table = [
            // event      from draft  from open   from archived  from merged
            (SetDraft,    Ok(Draft),    Ok(Draft),    Ok(Draft),    merged),
            (SetOpen,     Ok(Open),     Ok(Open),     Ok(Open),     merged),
            (SetArchived, Ok(Archived), Ok(Archived), Ok(Archived), merged),
            (Merge,       Ok(Merged),   Ok(Merged),   archived,     merged),
            (Update,      Ok(Draft),    Ok(Open),     archived,     merged),
            (EditContent, Ok(Draft),    Ok(Open),     archived,     merged),
            (Review,      Ok(Draft),    Ok(Open),     archived,     merged),
        ];
        for (event, draft, open, archived, merged) in table {
            for (from, expected) in Status::ALL.into_iter().zip([draft, open, archived, merged]) {
                let found = from.apply(event).map_err(|error| {
                    assert_eq!(error, TransitionError { from, event });
                    error.reason()
                });
                assert_eq!(found, expected, "{event:?} of {from:?}");
            }
        }
    }

    #[test]
    fn names_agree() {
        for status in Status::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
    }
}
