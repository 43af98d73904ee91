//! Processing of specifications.

use serde::{Deserialize, Serialize};

use utoipa::ToSchema;

/// Processing state of a specification's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OpenAPISpecProcessingState)]
pub enum ProcessingState {
    /// Queued.
    Pending,
    /// In progress: the source is fetched and parsed.
    Progress,
    /// Ended, with success or an error.
    Complete,
}

/// Error code of processing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = OpenAPISpecProcessErrorCode)]
pub enum ProcessError {
    /// The URL did not answer in time.
    FetchTimeout,
    /// The URL could not be fetched.
    FetchError,
    /// The content is not an OpenAPI specification.
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

    /// Returns the state of a new source. The state of the previous source does not matter.
    #[must_use]
    pub const fn of_a_new_source() -> Self {
        Self::Pending
    }

    /// Returns the state after a worker has begun. A source in progress can begin again, because its worker may be
    /// lost; a complete one cannot.
    #[must_use]
    pub const fn begun(self) -> Option<Self> {
        match self {
            Self::Pending | Self::Progress => Some(Self::Progress),
            Self::Complete => None,
        }
    }

    /// Returns the state after a worker has ended. Only a source in progress can end.
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
