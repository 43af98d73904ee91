//! The derives of `utoipa` and `validator`, or without the features `openapi` and `validation` inert ones.

#[cfg(not(feature = "validation"))]
use std::borrow::Cow;

#[cfg(not(feature = "validation"))]
pub(crate) use quire_inert_derive::Validate;
#[cfg(not(feature = "openapi"))]
pub(crate) use quire_inert_derive::{IntoParams, ToSchema};
#[cfg(feature = "openapi")]
pub(crate) use utoipa::{IntoParams, ToSchema};
#[cfg(feature = "validation")]
pub(crate) use validator::{Validate, ValidationError, ValidationErrors};

/// Placeholder for the type of `validator` in imports.
#[cfg(not(feature = "validation"))]
pub(crate) enum ValidationErrors {}

/// Error of a check, where `validator` is not there to collect it.
#[cfg(not(feature = "validation"))]
#[derive(Debug)]
pub struct ValidationError {
    /// Sentence without a subject.
    pub message: Option<Cow<'static, str>>,
}

#[cfg(not(feature = "validation"))]
impl ValidationError {
    /// An error with the code of its check, which only `validator` keeps.
    pub(crate) fn new(_code: &'static str) -> Self {
        Self { message: None }
    }

    /// The error with a sentence.
    pub(crate) fn with_message(self, message: Cow<'static, str>) -> Self {
        Self { message: Some(message) }
    }
}
