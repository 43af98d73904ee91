//! Errors on the wire: the body, and the table of reasons.

mod fields;
pub mod path;
mod reason;
mod refusal;

use serde::{Deserialize, Serialize};

pub use self::fields::field_errors;
pub use self::reason::Reason;
pub use self::refusal::{Cause, Failure, Refusal};
use utoipa::ToSchema;

/// Parameter of a validation error: key of the failing value within a field that holds an object.
pub(crate) const KEY: &str = "key";

/// Body of every error response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// Error.
    pub error: ErrorDetail,
}

/// Description of an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorDetail {
    /// HTTP status.
    pub code: u16,
    /// Message for people. For 400 and 413 it ends with the first entry of `details`, because clients show it alone.
    pub message: String,
    /// Stable code for programs, in kebab-case, such as `slug-taken`. Later versions may add codes.
    pub reason: String,
    /// Failing parts of the input. Absent if the input is not the cause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<FieldError>,
}

/// Problem with one part of the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// Path of the part, such as `title`, `position.before.space` or `changes[0].title`.
    pub field: String,
    /// Description of the problem, such as `must have 1 to 512 characters, has 0`.
    pub message: String,
}

impl ErrorBody {
    /// Returns an error with the message of its reason and no details.
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

    /// Returns the error with another message.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.error.message = message.into();
        self
    }

    /// Returns the error with these details. The message of a 400 or 413 names the first of them.
    #[must_use]
    pub fn with_details(mut self, details: Vec<FieldError>) -> Self {
        if let Some(FieldError { field, message }) =
            details.first().filter(|_| matches!(self.error.code, 400 | 413))
        {
            let sentence = self.error.message.trim_end_matches('.');
            let field = if field.is_empty() { String::new() } else { format!("{field}: ") };
            self.error.message = format!("{sentence}: {field}{message}");
        }
        self.error.details = details;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn details(field: &str) -> Vec<FieldError> {
        [field, "later"]
            .map(|field| FieldError { field: field.to_owned(), message: "is wrong".to_owned() })
            .into()
    }

    #[test]
    fn the_message_of_wrong_input_names_the_first_detail() {
        let message = |error: ErrorBody| error.error.message;
        let error = ErrorBody::new(Reason::InvalidBody);
        assert_eq!(
            message(error.clone().with_details(details("users[0]"))),
            "The body is not valid: users[0]: is wrong"
        );
        assert_eq!(message(error.clone().with_details(details(""))), "The body is not valid: is wrong");
        let own = error.clone().with_message("The files are too large.").with_details(details("files"));
        assert_eq!(message(own), "The files are too large: files: is wrong");
        assert_eq!(message(error.with_details(Vec::new())), "The body is not valid.");
        let large = ErrorBody::new(Reason::ImportTooLarge).with_details(details("file"));
        assert_eq!(message(large), "The content is too large to import: file: is wrong");
        let state = ErrorBody::new(Reason::StaleRevision).with_details(details("base"));
        assert_eq!(message(state), Reason::StaleRevision.message());
    }
}
