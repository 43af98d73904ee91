//! Error type of all endpoints, and its response.

use std::fmt;
use std::time::Duration;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use quire_domain::error::{Cause as BoxedCause, Failure, FieldError, Reason, Refusal};
use quire_storage::Error as StorageError;
use quire_storage::optimistic::DraftError;

/// Error of an endpoint.
#[derive(Debug)]
pub struct ApiError {
    refusal: Refusal,
    cause: Option<anyhow::Error>,
    wait: Option<Duration>,
}

/// Result of an endpoint.
pub type ApiResult<T> = Result<T, ApiError>;

/// Cause of a failed request, for the log. It is kept with the response and never sent.
#[derive(Clone, Debug)]
pub struct Cause(pub String);

impl ApiError {
    /// Returns an error with the message of its reason.
    #[must_use]
    pub fn new(reason: Reason) -> Self {
        Self { refusal: Refusal::new(reason), cause: None, wait: None }
    }

    /// Returns 429 with the time after which the request may be sent again.
    #[must_use]
    pub fn rate_limited(wait: Duration) -> Self {
        Self { wait: Some(wait), ..Self::new(Reason::RateLimited) }
    }

    /// Returns the error with another message.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.refusal.message = message.into();
        self
    }

    /// Returns the error with these details.
    #[must_use]
    pub fn with_details(mut self, details: Vec<FieldError>) -> Self {
        self.refusal.details = details;
        self
    }

    /// Returns 400 for one field of the body.
    #[must_use]
    pub fn invalid_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Reason::InvalidBody)
            .with_details(vec![FieldError { field: field.into(), message: message.into() }])
    }

    /// Returns 400 for one query parameter.
    #[must_use]
    pub fn invalid_query(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Reason::InvalidQuery)
            .with_details(vec![FieldError { field: field.into(), message: message.into() }])
    }

    /// Returns 404: the resource does not exist or is not visible.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(Reason::NotFound)
    }

    /// Returns 500 with a cause for the log.
    #[must_use]
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self { cause: Some(cause.into()), ..Self::new(Reason::Internal) }
    }

    /// Returns 503 with a cause for the log: a part of the system is unreachable or at capacity.
    #[must_use]
    pub fn unavailable(cause: impl Into<anyhow::Error>) -> Self {
        Self { cause: Some(cause.into()), ..Self::new(Reason::Unavailable) }
    }

    /// Returns whether the request must wait until the search index has been rebuilt.
    #[must_use]
    pub fn awaits_index(&self) -> bool {
        let cause = self.cause.as_ref().and_then(|cause| cause.downcast_ref::<StorageError>());
        matches!(cause, Some(StorageError::Indexing { .. }))
    }

    /// Returns the invalid fields of the input.
    #[must_use]
    pub fn details(&self) -> &[FieldError] {
        &self.refusal.details
    }

    /// Returns the reason.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.refusal.reason
    }
}

/// The only mapping from errors of other layers to responses.
impl<E: Into<Failure>> From<E> for ApiError {
    fn from(error: E) -> Self {
        match error.into() {
            Failure::Refused(refusal) => Self { refusal, cause: None, wait: None },
            Failure::Unavailable(refusal, cause) => Self { refusal, cause: Some(traced(cause)), wait: None },
            Failure::Fault(cause) => Self::internal(traced(cause)),
        }
    }
}

/// Keeps the type of a storage error. `anyhow` would hide the type of a boxed error from downcasts.
fn traced(cause: BoxedCause) -> anyhow::Error {
    match cause.downcast::<StorageError>() {
        Ok(error) => (*error).into(),
        Err(cause) => anyhow::anyhow!(cause),
    }
}

impl DraftError for ApiError {
    fn is_outdated(&self) -> bool {
        let cause = self.cause.as_ref().and_then(|cause| cause.downcast_ref::<StorageError>());
        cause.is_some_and(DraftError::is_outdated)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal.fmt(f)
    }
}

impl std::error::Error for ApiError {}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.reason().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        match self.reason() {
            Reason::Unauthenticated | Reason::InvalidVisitorToken => {
                response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
            }
            // The rest of the body is not read, so the connection cannot be reused.
            Reason::RequestTimeout => {
                response.force_close();
            }
            Reason::Unavailable => {
                response.insert_header((header::RETRY_AFTER, "2"));
            }
            Reason::IdempotencyKeyInUse => {
                response.insert_header((header::RETRY_AFTER, "1"));
            }
            _ => {}
        }
        if let Some(wait) = self.wait {
            response.insert_header((header::RETRY_AFTER, wait.as_secs().saturating_add(1)));
        }
        let mut response = response.json(self.refusal.clone().body());
        if let Some(cause) = &self.cause {
            response.extensions_mut().insert(Cause(format!("{cause:#}")));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outdated_draft_differs_from_other_failures() {
        let outdated = ApiError::from(StorageError::Outdated);
        assert!(outdated.is_outdated());
        assert_eq!(outdated.reason(), Reason::Unavailable);
        assert!(!ApiError::from(StorageError::Unavailable(anyhow::anyhow!("away"))).is_outdated());
        assert!(!ApiError::from(StorageError::NotFound).is_outdated());
    }

    #[test]
    fn the_causes_of_a_failure_are_logged_and_not_sent() {
        let error = StorageError::Internal("a part failed", anyhow::anyhow!("a disk is full"));
        let response = ApiError::from(error).error_response();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let cause = response.extensions().get::<Cause>().cloned().unwrap();
        assert_eq!(cause.0, "a part failed: a disk is full");
    }
}
