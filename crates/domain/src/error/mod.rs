//! Errors as they travel on the wire: every body, and the table of reasons.

mod fields;
pub mod placed;
mod reason;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::fields::field_errors;
pub use self::reason::Reason;

/// The body of every answer that is an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorDetail {
    /// The HTTP status once more.
    pub code: u16,
    /// One sentence for people.
    pub message: String,
    /// A stable code for programs: one of [`Reason`]'s. A text, because newer servers may know more.
    pub reason: String,
    /// Which parts of the input are wrong. Left out when the input isn't at fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<FieldError>,
}

/// What is wrong with one part of the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// The part: `title`, `position.before.space`, `changes[0].title`.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

impl ErrorBody {
    /// An error with its reason's own sentence and no details.
    pub fn new(reason: Reason) -> Self {
        Self {
            error: ErrorDetail {
                code: reason.status(),
                message: reason.message().to_owned(),
                reason: reason.as_str().to_owned(),
                details: Vec::new(),
            },
        }
    }

    /// The same error with another sentence.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.error.message = message.into();
        self
    }

    /// The same error with these details.
    #[must_use]
    pub fn with_details(mut self, details: Vec<FieldError>) -> Self {
        self.error.details = details;
        self
    }
}
