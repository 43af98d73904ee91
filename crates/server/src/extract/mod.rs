//! Extractors of handlers. Each has its own errors.
//!
//! The caller's credentials come first in every handler, so a missing or malformed token is reported before any other
//! error. A well-formed token is checked together with the first lookup. If the request is refused earlier,
//! [`crate::middleware::reject`] checks the token before the response, and [`Json`] checks it before it reads more than
//! the first bytes of a large body.

mod bearer;
mod body_deadline;
mod credentials;
mod json;
mod multipart;
mod path;
mod query;
mod reading;

use quire_domain::error::{Reason, field_errors};
use validator::ValidationErrors;

use crate::error::ApiError;

pub use body_deadline::BodyDeadline;
pub use credentials::{Caller, credentials, scim_credentials};
use json::field_at;
pub use json::{Json, OptionalJson};
pub use multipart::{Part, field_file_name, malformed_multipart, read_parts};
pub use path::Path;
pub use query::Query;
pub use reading::{Reading, Visiting};

/// Returns the error of fields that break their rules.
fn invalid_fields(reason: Reason, errors: &ValidationErrors) -> ApiError {
    ApiError::new(reason).with_details(field_errors(errors))
}
