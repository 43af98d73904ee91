//! Error of the state machines.

use std::fmt::Debug;

/// Event that a state does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{event:?} is not possible in the state {from:?}")]
pub struct TransitionError<State: Debug, Event: Debug> {
    /// State, which stays unchanged.
    pub from: State,
    /// Refused event.
    pub event: Event,
}
