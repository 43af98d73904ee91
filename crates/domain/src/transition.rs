//! The error of every state machine.

use std::fmt::Debug;

/// An event that can't happen in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{event:?} can't happen to {from:?}")]
pub struct TransitionError<State: Debug, Event: Debug> {
    /// The state, which stays as it is.
    pub from: State,
    /// What was refused.
    pub event: Event,
}
