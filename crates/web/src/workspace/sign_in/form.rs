//! Forms and their problems.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use actix_web::body::BoxBody;
use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, HttpResponse, ResponseError, web};
use quire_domain::bounded::{Bounded, Kind};
use quire_server::ApiError;
use quire_server::middleware::same_origin;
use serde::de::DeserializeOwned;

use crate::errors;

/// Form from a page of this deployment. Forms from other sites are refused even without a session, because they could
/// sign the browser in to an attacker's account (login CSRF).
pub(super) struct Form<T>(pub(super) T);

/// Refusal of an unreadable or cross-site form.
#[derive(Debug)]
pub(super) enum FormError {
    CrossSite,
    Unreadable,
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CrossSite => {
                "This form was sent by a page of another site. Open the page here and try again."
            }
            Self::Unreadable => "The form could not be read.",
        })
    }
}

impl ResponseError for FormError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::CrossSite => StatusCode::FORBIDDEN,
            Self::Unreadable => StatusCode::BAD_REQUEST,
        }
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        errors::refused(self.status_code(), "This form was not accepted", &self.to_string())
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Form<T> {
    type Error = FormError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, FormError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if !same_origin::is_allowed(request) {
            return Box::pin(std::future::ready(Err(FormError::CrossSite)));
        }
        let form = web::Form::<T>::from_request(request, payload);
        Box::pin(
            async move { form.await.map(|form| Self(form.into_inner())).map_err(|_| FormError::Unreadable) },
        )
    }
}

/// Problems of a form.
#[derive(Default)]
pub(super) struct Problems {
    fields: Vec<(String, String)>,
    whole: Option<String>,
    error: Option<Box<ApiError>>,
}

impl Problems {
    /// Returns a field in canonical form, or records its problem.
    pub(super) fn read<K: Kind>(&mut self, field: &str, text: &str) -> String {
        match Bounded::<K>::new(text).and_then(Bounded::into_text) {
            Ok(text) => text,
            Err(problem) => {
                self.fields.push((field.to_owned(), problem.to_string()));
                String::new()
            }
        }
    }

    /// Records a problem of a field.
    pub(super) fn add(&mut self, field: &str, problem: &str) {
        self.fields.push((field.to_owned(), problem.to_owned()));
    }

    /// Returns the problems in the error of a request. Details appear at their fields.
    pub(super) fn with(error: ApiError) -> Self {
        let details = error.details().iter();
        let fields: Vec<_> = details.map(|detail| (detail.field.clone(), detail.message.clone())).collect();
        let whole = fields.is_empty().then(|| error.to_string());
        Self { fields, whole, error: Some(Box::new(error)) }
    }

    /// Converts the error of a result to problems.
    pub(super) fn check<T>(result: Result<T, ApiError>) -> Result<T, Self> {
        result.map_err(Self::with)
    }

    /// Returns `Err` if there are problems.
    pub(super) fn none(self) -> Result<(), Self> {
        if self.fields.is_empty() && self.whole.is_none() { Ok(()) } else { Err(self) }
    }

    pub(super) fn of_field(&self, field: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == field).map(|(_, problem)| problem.as_str())
    }

    pub(super) fn of_whole(&self) -> Option<&str> {
        self.whole.as_deref()
    }

    /// Returns a response with the status of the problem, to which a page is added. Without a problem it is 200.
    pub(super) fn response(&self) -> HttpResponse {
        match &self.error {
            Some(error) => error.error_response(),
            None if self.fields.is_empty() => HttpResponse::Ok().finish(),
            None => HttpResponse::BadRequest().finish(),
        }
    }
}
