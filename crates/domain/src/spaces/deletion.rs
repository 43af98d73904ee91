//! Deletion of spaces: active, deleted with a grace period, purged.

use crate::bounds::DELETION_GRACE;
use crate::clock::Timestamp;
use crate::error::Reason;
use crate::policy::Action;
use crate::transition::TransitionError;

/// Deletion state of a space.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Deletion {
    /// Not deleted.
    #[default]
    Active,
    /// Deleted: hidden from lists, searches and counts.
    Deleted {
        /// Time of the deletion.
        at: Timestamp,
    },
}

/// Event that changes the deletion state of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// An administrator deletes the space.
    Delete,
    /// An administrator restores the space.
    Restore,
    /// The service removes the space and its data permanently.
    Purge,
}

impl Event {
    /// Returns the action that the event requires. Purging is done by jobs, which act for no user.
    pub const fn required_action(self) -> Action {
        match self {
            Self::Delete | Self::Restore | Self::Purge => Action::AdministerSpace,
        }
    }
}

impl Deletion {
    /// Returns the state after `event` at `now`; `None` for a purged space.
    ///
    /// A space can be restored up to and including [`DELETION_GRACE`] after its deletion, and purged from then on, so
    /// that at any time exactly one of the two is possible.
    ///
    /// # Errors
    /// [`TransitionError`] if the event is not possible in this state at this time.
    pub fn apply(self, event: Event, now: Timestamp) -> Result<Option<Self>, TransitionError<Self, Event>> {
        match (self, event) {
            (Self::Active, Event::Delete) => Ok(Some(Self::Deleted { at: now })),
            (Self::Deleted { at }, Event::Restore) if now.since(at) <= DELETION_GRACE => {
                Ok(Some(Self::Active))
            }
            (Self::Deleted { at }, Event::Purge) if now.since(at) > DELETION_GRACE => Ok(None),
            (from, event) => Err(TransitionError { from, event }),
        }
    }

    /// Returns the time of the deletion.
    pub const fn deleted_at(self) -> Option<Timestamp> {
        match self {
            Self::Active => None,
            Self::Deleted { at } => Some(at),
        }
    }

    /// Returns the state of a space with this time of deletion.
    pub const fn from_deleted_at(deleted_at: Option<Timestamp>) -> Self {
        match deleted_at {
            None => Self::Active,
            Some(at) => Self::Deleted { at },
        }
    }
}

impl TransitionError<Deletion, Event> {
    /// Returns the reason for the caller.
    pub const fn reason(&self) -> Reason {
        match (self.from, self.event) {
            (Deletion::Active, _) => Reason::SpaceNotDeleted,
            (Deletion::Deleted { .. }, Event::Restore) => Reason::RestorePeriodOver,
            (Deletion::Deleted { .. }, Event::Delete | Event::Purge) => Reason::SpaceDeleted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAYS: i64 = 24 * 60 * 60 * 1000;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis).unwrap()
    }

    #[test]
    fn every_event_in_every_state() {
        let deleted = Deletion::Deleted { at: at(0) };
        let (soon, last, late) = (at(1), at(7 * DAYS), at(7 * DAYS + 1));
        for (from, event, now, expected) in [
            (Deletion::Active, Event::Delete, at(0), Ok(Some(deleted))),
            (Deletion::Active, Event::Restore, soon, Err(Reason::SpaceNotDeleted)),
            (Deletion::Active, Event::Purge, late, Err(Reason::SpaceNotDeleted)),
            (deleted, Event::Delete, soon, Err(Reason::SpaceDeleted)),
            (deleted, Event::Delete, late, Err(Reason::SpaceDeleted)),
            (deleted, Event::Restore, soon, Ok(Some(Deletion::Active))),
            (deleted, Event::Restore, last, Ok(Some(Deletion::Active))),
            (deleted, Event::Restore, late, Err(Reason::RestorePeriodOver)),
            (deleted, Event::Purge, soon, Err(Reason::SpaceDeleted)),
            (deleted, Event::Purge, last, Err(Reason::SpaceDeleted)),
            (deleted, Event::Purge, late, Ok(None)),
        ] {
            let found = from.apply(event, now).map_err(|error| {
                assert_eq!(error, TransitionError { from, event });
                error.reason()
            });
            assert_eq!(found, expected, "{event:?} of {from:?} at {now}");
        }
    }

    #[test]
    fn a_time_of_deletion_says_all() {
        for deleted_at in [None, Some(at(5))] {
            assert_eq!(Deletion::from_deleted_at(deleted_at).deleted_at(), deleted_at);
        }
    }
}
