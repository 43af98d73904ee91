//! Errors of the layers below the server.

use std::error::Error;
use std::fmt;

use super::{ErrorBody, FieldError, Reason};

/// Refusal of a request because of its input, its sender or the state of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Stable reason.
    pub reason: Reason,
    /// Message for people.
    pub message: String,
    /// Failing parts of the input.
    pub details: Vec<FieldError>,
}

impl Refusal {
    /// Returns a refusal with the message of its reason and no details.
    #[must_use]
    pub fn new(reason: Reason) -> Self {
        Self { reason, message: reason.message().to_owned(), details: Vec::new() }
    }

    /// Returns the refusal with another message.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Returns the refusal with these details instead of its own.
    #[must_use]
    pub fn with_details(mut self, details: Vec<FieldError>) -> Self {
        self.details = details;
        self
    }

    /// Returns the refusal with one more detail.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>, message: impl Into<String>) -> Self {
        self.details.push(FieldError { field: field.into(), message: message.into() });
        self
    }

    /// Returns the body of the error response.
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

/// Error with its causes, for the log.
pub type Cause = Box<dyn Error + Send + Sync>;

/// Error of any layer, classified by the possible reaction. Each layer converts its errors to this type, which a server
/// answers and a job records.
#[derive(Debug)]
pub enum Failure {
    /// The caller must change the request or the state of the resource.
    Refused(Refusal),
    /// The same request may succeed later. The cause must not be sent to clients.
    Unavailable(Refusal, Cause),
    /// Bug or fault of the service. The cause must not be sent to clients.
    Fault(Cause),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
