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

/// Form that a page of this deployment sent. Those of other sites are refused, also without a session: they would sign
/// a browser in to an account of theirs.
pub(super) struct Form<T>(pub(super) T);

/// Refusal of a form that cannot be read, or that comes from elsewhere.
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
    /// Returns a field in its canonical form, or notes what is wrong with it.
    pub(super) fn read<K: Kind>(&mut self, field: &str, text: &str) -> String {
        match Bounded::<K>::new(text).and_then(Bounded::into_text) {
            Ok(text) => text,
            Err(problem) => {
                self.fields.push((field.to_owned(), problem.to_string()));
                String::new()
            }
        }
    }

    /// Notes what is wrong with a field.
    pub(super) fn add(&mut self, field: &str, problem: &str) {
        self.fields.push((field.to_owned(), problem.to_owned()));
    }

    /// Notes the error of a request. Its details are shown at their fields.
    pub(super) fn with(error: ApiError) -> Self {
        let details = error.details().iter();
        let fields: Vec<_> = details.map(|detail| (detail.field.clone(), detail.message.clone())).collect();
        let whole = fields.is_empty().then(|| error.to_string());
        Self { fields, whole, error: Some(Box::new(error)) }
    }

    /// Notes what is wrong as `result` says, and returns its value if it is right.
    pub(super) fn check<T>(result: Result<T, ApiError>) -> Result<T, Self> {
        result.map_err(Self::with)
    }

    /// Returns `Err` if something is wrong.
    pub(super) fn none(self) -> Result<(), Self> {
        if self.fields.is_empty() && self.whole.is_none() { Ok(()) } else { Err(self) }
    }

    pub(super) fn of_field(&self, field: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == field).map(|(_, problem)| problem.as_str())
    }

    pub(super) fn of_whole(&self) -> Option<&str> {
        self.whole.as_deref()
    }

    /// Returns a response with the status of the problem, to which a page is added. A shown form is 200.
    pub(super) fn response(&self) -> HttpResponse {
        match &self.error {
            Some(error) => error.error_response(),
            None if self.fields.is_empty() => HttpResponse::Ok().finish(),
            None => HttpResponse::BadRequest().finish(),
        }
    }
}
