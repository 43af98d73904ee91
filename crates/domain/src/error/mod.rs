//! Errors as they travel on the wire: every body, and the table of reasons.

#[cfg(feature = "validation")]
mod fields;
pub mod placed;
mod reason;
mod refusal;

use serde::{Deserialize, Serialize};

#[cfg(feature = "validation")]
pub use self::fields::field_errors;
pub use self::reason::Reason;
pub use self::refusal::{Cause, Failure, Refusal};
use crate::features::ToSchema;

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
    /// A sentence for people. Of a 400 or 413 it ends with the first of `details`, since clients show it alone.
    pub message: String,
    /// Stable code for programs, in kebab-case. Newer servers may know more of them.
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

    /// The same error with these details. The message of a 400 or 413 names the first of them.
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
