//! Errors in the form of SCIM (RFC 7644, 3.12).

use std::fmt;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use quire_domain::scim::ScimProblem;
use quire_storage::Error as StorageError;
use serde_json::json;

use super::respond::MEDIA_TYPE;
use crate::error::ApiError;

/// Error of a request.
#[derive(Debug)]
pub(crate) enum ScimError {
    /// Error that SCIM has a name for.
    Problem(ScimProblem),
    /// Other error.
    Api(ApiError),
}

/// Result of a handler.
pub(crate) type ScimResult<T> = Result<T, ScimError>;

impl From<ScimProblem> for ScimError {
    fn from(problem: ScimProblem) -> Self {
        Self::Problem(problem)
    }
}

impl From<ApiError> for ScimError {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<StorageError> for ScimError {
    fn from(error: StorageError) -> Self {
        Self::Api(error.into())
    }
}

impl fmt::Display for ScimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Problem(problem) => problem.fmt(f),
            Self::Api(error) => error.fmt(f),
        }
    }
}

impl ResponseError for ScimError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Problem(problem) => {
                StatusCode::from_u16(problem.kind.status()).unwrap_or(StatusCode::BAD_REQUEST)
            }
            Self::Api(error) => error.status_code(),
        }
    }

    fn error_response(&self) -> HttpResponse {
        let status = self.status_code();
        // Keeps the headers of other errors, and their cause for the log.
        let mut response = match self {
            Self::Problem(_) => HttpResponse::new(status),
            Self::Api(error) => error.error_response(),
        };
        let mut body = json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
            "status": status.as_str(),
            "detail": self.to_string(),
        });
        if let Self::Problem(problem) = self {
            body["scimType"] = json!(problem.kind.as_str());
        }
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        response.set_body(BoxBody::new(body.to_string()))
    }
}
