//! Derives of `utoipa` and `validator`, or inert replacements without the features `openapi` and `validation`.

#[cfg(not(feature = "validation"))]
use std::borrow::Cow;

#[cfg(not(feature = "validation"))]
pub(crate) use quire_inert_derive::Validate;
#[cfg(not(feature = "openapi"))]
pub(crate) use quire_inert_derive::{IntoParams, ToSchema};
#[cfg(not(feature = "validation"))]
use serde::Serialize;
#[cfg(feature = "openapi")]
pub(crate) use utoipa::{IntoParams, ToSchema};
#[cfg(feature = "validation")]
pub(crate) use validator::{Validate, ValidationError, ValidationErrors};

/// Placeholder for the type of `validator` in imports.
#[cfg(not(feature = "validation"))]
pub(crate) enum ValidationErrors {}

/// Error of a check, for builds without `validator`.
#[cfg(not(feature = "validation"))]
#[derive(Debug)]
pub struct ValidationError {
    /// Sentence without a subject.
    pub message: Option<Cow<'static, str>>,
}

#[cfg(not(feature = "validation"))]
impl ValidationError {
    /// Returns an error. The code is used only by `validator`.
    pub(crate) fn new(_code: &'static str) -> Self {
        Self { message: None }
    }

    /// Does nothing. The parameter is used only by `validator`.
    pub(crate) fn add_param<T: Serialize>(&mut self, _name: Cow<'static, str>, _value: &T) {}

    /// Returns the error with a sentence.
    pub(crate) fn with_message(self, message: Cow<'static, str>) -> Self {
        Self { message: Some(message) }
    }
}
