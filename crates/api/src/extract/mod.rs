//! What handlers take from a request, each with its errors.
//!
//! The caller's credentials come first in every handler, so a missing or malformed token is answered before anything else is
//! looked at. A well-formed token is checked together with the first lookup; when an extractor behind it refuses the request,
//! [`crate::middleware::reject`] has the token checked before the refusal is answered.

mod arrival;
pub(crate) mod credentials;
mod json;
mod multipart;
mod path;
mod query;

pub(crate) use arrival::Arrival;
pub(crate) use credentials::credentials;
pub use credentials::{Caller, Visitor};
use json::field_at;
pub use json::{Json, OptionalJson};
pub use multipart::Part;
pub(crate) use multipart::{field_file_name, malformed_multipart, read_parts};
pub use path::Path;
pub use query::Query;

/// Marks a response that an extractor made.
#[derive(Clone, Copy, Debug)]
pub struct Rejected;

use actix_web::{HttpResponse, ResponseError};

use crate::error::ApiError;

/// An extractor's refusal: an [`ApiError`] whose response says that the token wasn't checked yet.
#[derive(Debug)]
pub struct Rejection(ApiError);

impl From<ApiError> for Rejection {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl ResponseError for Rejection {
    fn status_code(&self) -> actix_web::http::StatusCode {
        self.0.status_code()
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = self.0.error_response();
        response.extensions_mut().insert(Rejected);
        response
    }
}
