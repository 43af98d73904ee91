//! What can go wrong while content is computed.

use quire_domain::error::{Failure, Reason, Refusal};

/// Why content could not be computed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What it is computed from could not be read.
    #[error("what the content is computed from could not be read")]
    Storage(#[from] quire_storage::Error),
    /// The specification has no such page.
    #[error("the specification has no such page")]
    NoPage,
    /// A stored piece of a specification is not JSON.
    #[error("a stored piece of a specification is damaged")]
    Damaged(#[source] serde_json::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Storage(error) => error.into(),
            Error::NoPage => Refusal::new(Reason::NotFound).into(),
            Error::Damaged(_) => Self::Fault(error.into()),
        }
    }
}

/// A result of computing.
pub type Result<T> = std::result::Result<T, Error>;
