//! Errors of maintenance.

use quire_domain::error::Reason;

/// Error of a maintenance operation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is refused, and nothing was changed. Other input may succeed.
    #[error("{0}")]
    Refused(String),
    /// The database or the store of files failed.
    #[error(transparent)]
    Storage(quire_storage::Error),
    /// The archive cannot be written or read.
    #[error("{0}")]
    Io(String, #[source] std::io::Error),
}

/// A result of maintenance.
pub type Result<T> = std::result::Result<T, Error>;

impl From<quire_storage::Error> for Error {
    fn from(error: quire_storage::Error) -> Self {
        match error {
            quire_storage::Error::Refused(refusal) if refusal.reason == Reason::InvalidContent => {
                Self::Refused(refusal.message)
            }
            other => Self::Storage(other),
        }
    }
}

/// Returns a refusal with this sentence.
pub(crate) fn refuse<T>(sentence: impl Into<String>) -> Result<T> {
    Err(Error::Refused(sentence.into()))
}
