//! What handlers take from a request, each with its errors.
//!
//! The caller's credentials come first in every handler, so a missing or malformed token is answered before anything else is
//! looked at. A well-formed token is checked together with the first lookup; when the request is refused before,
//! [`crate::middleware::reject`] has the token checked before the refusal is answered.

pub(crate) mod credentials;
mod json;
mod multipart;
mod path;
mod query;

pub(crate) use credentials::credentials;
pub use credentials::{Caller, Visitor};
use json::field_at;
pub use json::{Json, OptionalJson};
pub use multipart::{Part, read_parts};
pub(crate) use multipart::{field_file_name, malformed_multipart};
pub use path::Path;
pub use query::Query;
