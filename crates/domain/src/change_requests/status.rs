//! Statuses of a change request and their transitions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Reason;
use crate::policy::Action;
use crate::transition::TransitionError;

/// Status of a change request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ChangeRequestStatus)]
pub enum Status {
    /// In progress.
    Draft,
    /// Ready for review.
    Open,
    /// Closed without a merge. Can be reopened.
    Archived,
    /// Merged into the space. Final.
    Merged,
}

/// Event that can change the status of a change request, or is refused by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The status is set to draft.
    SetDraft,
    /// The status is set to open.
    SetOpen,
    /// The status is set to archived.
    SetArchived,
    /// The content is merged into the space.
    Merge,
    /// The space's content is merged into the change request.
    Update,
    /// The content is edited.
    EditContent,
    /// A review is requested or submitted.
    Review,
}

impl Event {
    /// Returns the action that the event requires.
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

    /// Returns the status after `event`. Draft, open and archived are reachable from each other; content changes only
    /// in draft and open.
    ///
    /// # Errors
    /// [`TransitionError`] if the status does not allow the event.
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

    /// Returns the wire form.
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
    /// Returns the reason for the caller.
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
