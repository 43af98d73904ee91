//! OpenAPI specifications, split into pages that are rendered as documents.
//!
//! [`read`] splits a whole specification (OpenAPI 3.0 and 3.1, Swagger 2; JSON or YAML) into [`Page`]s, each with its
//! piece of the specification, and [`Part`]s, which pages refer to. A page is [rendered](render) from its piece and its
//! parts alone, so that the size of the specification does not matter. References are followed during rendering: a
//! cycle ends at its first repetition, and the number of visited parts per page is limited. References to other files
//! are shown by name.

mod description;
mod dialect;
mod json;
mod notation;
mod outline;
mod parts;
mod pointers;
mod raw;
mod render;
mod slugs;
mod swagger2;
mod tags;
mod yaml;

pub use self::json::Json;
pub use self::notation::{Notation, to_json};
pub use self::outline::{Page, PageKind, Specification, read};
pub use self::parts::Part;
pub use self::pointers::{Pointed, model_pointers, operation_pointer, page_name, pointed, webhook_pointers};
pub use crate::limits::openapi::{MAX_BYTES, MAX_PAGE_BYTES, MAX_PAGES};

pub use self::render::{
    Child, Content, Context, Direction, Encoding, Field, Parts, Sample, Style, constraints, example_of,
    name_of, parameters_of, render, samples_of, scalar, server_url, type_of,
};

/// Error in a specification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The specification has too many bytes.
    #[error("the specification has more than {MAX_BYTES} bytes")]
    TooLarge,
    /// The specification is not UTF-8.
    #[error("the specification is not UTF-8")]
    NotText,
    /// The specification is neither JSON nor YAML.
    #[error("the specification is not valid {notation}: {message}")]
    Notation {
        /// Notation that it was parsed as.
        notation: &'static str,
        /// Error, with its position.
        message: String,
    },
    /// The version is not supported.
    #[error(
        "it is neither OpenAPI 3 nor Swagger 2: it needs `openapi` or `swagger` with a supported version"
    )]
    Version,
    /// A value has the wrong type.
    #[error("{pointer} {message}")]
    Malformed {
        /// JSON pointer of the value.
        pointer: String,
        /// Expected type.
        message: String,
    },
    /// The pages would repeat too much of the specification.
    #[error(
        "the pages of the specification would have more than {MAX_PAGE_BYTES} bytes, as they repeat shared parts"
    )]
    TooMuchText,
    /// The specification has too many pages.
    #[error("the specification has more than {MAX_PAGES} operations and models")]
    TooManyPages,
}
