//! Errors in the form of SCIM (RFC 7644, 3.12).

use std::fmt;

use actix_web::ResponseError;
use actix_web::body::BoxBody;
use actix_web::http::header::{self, HeaderValue};
use quire_domain::scim::ScimProblem;
use quire_storage::Error as StorageError;

use super::respond::MEDIA_TYPE;
use crate::prelude::*;

/// URN of errors.
const ERROR_SCHEMA: &str = "urn:ietf:params:scim:api:messages:2.0:Error";

/// Body of an error.
#[derive(Serialize)]
struct ErrorBody<'a> {
    schemas: [&'static str; 1],
    status: &'a str,
    #[serde(rename = "scimType", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    detail: &'a str,
}

/// Error of a request.
#[derive(Debug)]
pub(crate) enum ScimError {
    /// Error with a SCIM error type.
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
        // The response keeps the headers of other errors, and their cause for the log.
        let mut response = match self {
            Self::Problem(_) => HttpResponse::new(status),
            Self::Api(error) => error.error_response(),
        };
        let kind = match self {
            Self::Problem(problem) => Some(problem.kind.as_str()),
            Self::Api(_) => None,
        };
        let detail = self.to_string();
        let body = ErrorBody { schemas: [ERROR_SCHEMA], status: status.as_str(), kind, detail: &detail };
        let body = serde_json::to_string(&body).unwrap_or_default();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        response.set_body(BoxBody::new(body))
    }
}
