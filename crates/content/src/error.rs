//! Errors of content logic.

use quire_domain::bounded::OutOfBounds;
use quire_domain::error::{Failure, Reason, Refusal};
use quire_storage::optimistic::DraftError;

/// Reason why content was not read, written or computed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is invalid, or conflicts with the state of its target.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The storage returned an error.
    #[error(transparent)]
    Storage(#[from] quire_storage::Error),
    /// The work was cancelled, or another attempt has taken it over.
    #[error("the work was cancelled")]
    CalledOff,
    /// The specification has no such page.
    #[error("the specification has no such page")]
    NoPage,
    /// A stored piece of a specification is not JSON.
    #[error("a stored piece of a specification is damaged")]
    Damaged(#[source] serde_json::Error),
    /// Stored data is inconsistent, or a part of the service failed.
    #[error("{0}")]
    Internal(&'static str, #[source] anyhow::Error),
}

impl Error {
    /// Returns an internal error with its cause.
    pub fn internal(what: &'static str, cause: impl Into<anyhow::Error>) -> Self {
        Self::Internal(what, cause.into())
    }

    /// Returns a 400 for one field of the body.
    pub(crate) fn invalid_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Refusal::new(Reason::InvalidBody).at(field, message).into()
    }
}

impl From<OutOfBounds> for Error {
    fn from(error: OutOfBounds) -> Self {
        Self::Refused(error.into())
    }
}

impl DraftError for Error {
    fn is_outdated(&self) -> bool {
        matches!(self, Self::Storage(error) if error.is_outdated())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Storage(error) => error.into(),
            Error::NoPage => Refusal::new(Reason::NotFound).into(),
            Error::CalledOff | Error::Damaged(_) | Error::Internal(..) => Self::Fault(error.into()),
        }
    }
}

/// Result of content logic.
pub type Result<T> = std::result::Result<T, Error>;
