//! The error of every endpoint, and how it is answered.

use std::fmt;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use quire_computed::Error as ComputedError;
use quire_domain::error::{ErrorBody, FieldError, Reason};
use quire_importer::refusal::Refusal;
use quire_storage::Error as StorageError;

/// Why an endpoint did not do what it was asked.
#[derive(Debug)]
pub struct ApiError {
    reason: Reason,
    message: Option<String>,
    details: Vec<FieldError>,
    cause: Option<anyhow::Error>,
}

/// The result of an endpoint.
pub type ApiResult<T> = Result<T, ApiError>;

/// Why a request failed, for the log: kept with the response, never sent.
#[derive(Clone, Debug)]
pub struct Cause(pub String);

impl ApiError {
    /// An error with its reason's own sentence.
    #[must_use]
    pub fn new(reason: Reason) -> Self {
        Self { reason, message: None, details: Vec::new(), cause: None }
    }

    /// The same error with another sentence.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The same error with these details.
    #[must_use]
    pub fn with_details(mut self, details: Vec<FieldError>) -> Self {
        self.details = details;
        self
    }

    /// 400 for one field of the body.
    #[must_use]
    pub fn invalid_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Reason::InvalidBody)
            .with_details(vec![FieldError { field: field.into(), message: message.into() }])
    }

    /// 400 for one query parameter.
    #[must_use]
    pub fn invalid_query(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Reason::InvalidQuery)
            .with_details(vec![FieldError { field: field.into(), message: message.into() }])
    }

    /// 404: absent or not visible.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(Reason::NotFound)
    }

    /// 500 with a cause for the log.
    #[must_use]
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self { cause: Some(cause.into()), ..Self::new(Reason::Internal) }
    }

    /// The reason.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    fn body(&self) -> ErrorBody {
        let body = ErrorBody::new(self.reason);
        let body = match &self.message {
            Some(message) => body.with_message(message),
            None => body,
        };
        body.with_details(self.details.clone())
    }
}

impl From<StorageError> for ApiError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unauthenticated => Self::new(Reason::Unauthenticated),
            StorageError::NotFound => Self::not_found(),
            StorageError::Forbidden { .. } => Self::new(Reason::Forbidden),
            StorageError::Refused { reason, message, details } => {
                let details = details.into_iter().map(|(field, message)| FieldError { field, message });
                Self::new(reason).with_message(message).with_details(details.collect())
            }
            ref unknown @ StorageError::UnknownSpec { .. } => Self::new(Reason::InvalidContent)
                .with_message(format!("The content is not valid: {unknown}.")),
            unavailable @ StorageError::Unavailable(_) => {
                Self { cause: Some(unavailable.into()), ..Self::new(Reason::Unavailable) }
            }
            fault @ (StorageError::Database(_) | StorageError::Internal(..)) => Self::internal(fault),
        }
    }
}

impl From<ComputedError> for ApiError {
    fn from(error: ComputedError) -> Self {
        match error {
            ComputedError::Storage(error) => error.into(),
            ComputedError::NoPage => Self::not_found(),
            damage @ ComputedError::Damaged(_) => Self::internal(damage),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(Refusal { reason, message, details }: Refusal) -> Self {
        Self::new(reason).with_message(message).with_details(details)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.as_deref().unwrap_or(self.reason.message()))
    }
}

impl std::error::Error for ApiError {}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.reason.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        match self.reason {
            Reason::Unauthenticated | Reason::InvalidVisitorToken => {
                response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
            }
            // What is left of the body isn't waited for.
            Reason::RequestTimeout => {
                response.force_close();
            }
            Reason::Unavailable => {
                response.insert_header((header::RETRY_AFTER, "2"));
            }
            _ => {}
        }
        let mut response = response.json(self.body());
        if let Some(cause) = &self.cause {
            response.extensions_mut().insert(Cause(format!("{cause:#}")));
        }
        response
    }
}
