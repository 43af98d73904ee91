//! Errors of the layers below a server.

use std::error::Error;
use std::fmt;

use super::{ErrorBody, FieldError, Reason};

/// A request that is refused: its input, its sender or the state of what it names is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The stable reason.
    pub reason: Reason,
    /// One sentence for people.
    pub message: String,
    /// The parts of the input that are at fault.
    pub details: Vec<FieldError>,
}

impl Refusal {
    /// A refusal with its reason's own sentence and no details.
    #[must_use]
    pub fn new(reason: Reason) -> Self {
        Self { reason, message: reason.message().to_owned(), details: Vec::new() }
    }

    /// The same refusal with another sentence.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// The same refusal with these details instead of its own.
    #[must_use]
    pub fn with_details(mut self, details: Vec<FieldError>) -> Self {
        self.details = details;
        self
    }

    /// The same refusal with one more detail.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>, message: impl Into<String>) -> Self {
        self.details.push(FieldError { field: field.into(), message: message.into() });
        self
    }

    /// The error as it travels on the wire.
    #[must_use]
    pub fn body(self) -> ErrorBody {
        ErrorBody::new(self.reason).with_message(self.message).with_details(self.details)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Refusal {}

/// An error with its causes, for the log.
pub type Cause = Box<dyn Error + Send + Sync>;

/// An error of any layer, by what its caller can do about it. Each layer converts its own errors to this one type, which
/// a server answers and a job records.
#[derive(Debug)]
pub enum Failure {
    /// The caller can change the request, or the state of what it names.
    Refused(Refusal),
    /// The same request may succeed later; the cause must not be sent.
    Unavailable(Refusal, Cause),
    /// The service is at fault. The cause must not be sent.
    Fault(Cause),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
