//! Failures of maintenance.

use quire_domain::error::Reason;

/// Why maintenance was not done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is refused: nothing was changed, and other input helps.
    #[error("{0}")]
    Refused(String),
    /// The database or the store of files failed.
    #[error(transparent)]
    Storage(quire_storage::Error),
    /// The archive can't be written or read.
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

/// Refuses with a sentence.
pub(crate) fn refuse<T>(sentence: impl Into<String>) -> Result<T> {
    Err(Error::Refused(sentence.into()))
}
