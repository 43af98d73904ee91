//! Token of the caller.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use quire_storage::lookup::Credentials;

use super::bearer::{bearer, refused};
use crate::error::ApiError;

/// Credentials in the `Authorization` header; 401 if the header is missing or malformed.
#[derive(Clone, Copy, Debug)]
pub struct Caller(pub Credentials);

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(credentials(request).map(Self).ok_or_else(|| refused(request)))
    }
}

/// Returns the credentials of a request, if it has well-formed ones.
#[must_use]
pub fn credentials(request: &HttpRequest) -> Option<Credentials> {
    Credentials::from_token(bearer(request)?)
}
