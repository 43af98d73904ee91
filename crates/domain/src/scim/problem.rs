//! Errors of requests.

use thiserror::Error;

/// Kind of an error (RFC 7644, 3.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScimType {
    /// Filter that is malformed or not supported.
    InvalidFilter,
    /// Path of a PATCH operation that is malformed or not supported.
    InvalidPath,
    /// Body of the wrong form.
    InvalidSyntax,
    /// Value that an attribute does not accept.
    InvalidValue,
    /// Attribute that only the server changes.
    Mutability,
    /// Path of a PATCH operation that selects nothing.
    NoTarget,
    /// Value that another resource has.
    Uniqueness,
}

impl ScimType {
    /// Returns the wire form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidFilter => "invalidFilter",
            Self::InvalidPath => "invalidPath",
            Self::InvalidSyntax => "invalidSyntax",
            Self::InvalidValue => "invalidValue",
            Self::Mutability => "mutability",
            Self::NoTarget => "noTarget",
            Self::Uniqueness => "uniqueness",
        }
    }

    /// Returns the HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::Uniqueness => 409,
            _ => 400,
        }
    }
}

/// Error of a request.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{detail}")]
pub struct ScimProblem {
    /// Kind.
    pub kind: ScimType,
    /// Sentence for people.
    pub detail: String,
}

impl ScimProblem {
    /// Returns an error of a kind.
    #[must_use]
    pub fn new(kind: ScimType, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }

    /// Returns the error of a value that an attribute does not accept.
    #[must_use]
    pub fn value(attribute: &str, message: &str) -> Self {
        Self::new(ScimType::InvalidValue, format!("`{attribute}` {message}."))
    }
}
