//! OpenAPI specifications, split into pages that are rendered as documents.
//!
//! [`read`] splits a whole specification (OpenAPI 3.0 and 3.1, Swagger 2; JSON or YAML) into [`Page`]s, each with its
//! piece of the specification, and [`Part`]s, which pages refer to. A page can then be [rendered](render) from its
//! piece and its parts alone, however large the specification is. References are followed during rendering: a cycle
//! ends where it repeats, and the number of visited parts per page is limited. References to other files are shown by
//! name.

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
    /// It has too many bytes.
    #[error("the specification has more than {MAX_BYTES} bytes")]
    TooLarge,
    /// It is not UTF-8.
    #[error("the specification is not UTF-8")]
    NotText,
    /// It is neither JSON nor YAML.
    #[error("the specification is not valid {notation}: {message}")]
    Notation {
        /// The notation that it was read as.
        notation: &'static str,
        /// The error, with its position.
        message: String,
    },
    /// Its version is not supported.
    #[error(
        "it is neither OpenAPI 3 nor Swagger 2: it needs `openapi` or `swagger` with a supported version"
    )]
    Version,
    /// A value has the wrong type.
    #[error("{pointer} {message}")]
    Malformed {
        /// The JSON pointer of the value.
        pointer: String,
        /// The expected type.
        message: String,
    },
    /// Its pages would repeat too much of it.
    #[error(
        "the pages of the specification would have more than {MAX_PAGE_BYTES} bytes, as they repeat shared parts"
    )]
    TooMuchText,
    /// It has too many pages.
    #[error("the specification has more than {MAX_PAGES} operations and models")]
    TooManyPages,
}
