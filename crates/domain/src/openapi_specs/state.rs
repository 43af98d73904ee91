//! How the source of a specification becomes a version of it.

use serde::{Deserialize, Serialize};

use crate::features::ToSchema;

/// How far the last source of a specification has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OpenAPISpecProcessingState)]
pub enum ProcessingState {
    /// It waits for its turn.
    Pending,
    /// It is fetched and read.
    Progress,
    /// It was processed, well or not.
    Complete,
}

/// Why a source gave no version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = OpenAPISpecProcessErrorCode)]
pub enum ProcessError {
    /// The address took too long.
    FetchTimeout,
    /// The address could not be fetched.
    FetchError,
    /// What was there is no OpenAPI specification.
    ParseError,
}

impl ProcessingState {
    /// Returns the wire form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Progress => "progress",
            Self::Complete => "complete",
        }
    }

    /// The state of a source that somebody set, whatever became of the one before.
    #[must_use]
    pub const fn of_a_new_source() -> Self {
        Self::Pending
    }

    /// The state once a worker has begun. A source whose worker was lost in the middle is begun again; one that is complete isn't.
    #[must_use]
    pub const fn begun(self) -> Option<Self> {
        match self {
            Self::Pending | Self::Progress => Some(Self::Progress),
            Self::Complete => None,
        }
    }

    /// The state once a worker has ended: only what was begun, and not ended by another worker, can end.
    #[must_use]
    pub const fn ended(self) -> Option<Self> {
        match self {
            Self::Progress => Some(Self::Complete),
            Self::Pending | Self::Complete => None,
        }
    }
}

impl ProcessError {
    /// Returns the wire form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FetchTimeout => "FETCH_TIMEOUT",
            Self::FetchError => "FETCH_ERROR",
            Self::ParseError => "PARSE_ERROR",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ProcessingState::{Complete, Pending, Progress};

    #[test]
    fn each_state_and_event() {
        for (state, begun, ended) in [
            (Pending, Some(Progress), None),
            (Progress, Some(Progress), Some(Complete)),
            (Complete, None, None),
        ] {
            assert_eq!((state.begun(), state.ended()), (begun, ended), "{state:?}");
        }
    }

    #[test]
    fn words_are_those_of_the_wire() {
        for state in [Pending, Progress, Complete] {
            assert_eq!(serde_json::to_value(state).unwrap(), state.as_str());
        }
        for error in [ProcessError::FetchTimeout, ProcessError::FetchError, ProcessError::ParseError] {
            assert_eq!(serde_json::to_value(error).unwrap(), error.as_str());
        }
    }
}
