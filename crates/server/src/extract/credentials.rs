//! Token of the caller.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use quire_storage::lookup::Credentials;

use super::bearer::{bearer, has_visitor_key, refused};
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

/// Credentials of a caller who may use the key of a share link or a visitor token instead: anonymous ones for a request
/// with `shareKey` or `jwtToken` and without an `Authorization` header; 401 without any of them.
#[derive(Clone, Copy, Debug)]
pub struct Visitor(pub Credentials);

impl FromRequest for Visitor {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let credentials = match credentials(request) {
            None if has_visitor_key(request) => Some(Credentials::ANONYMOUS),
            credentials => credentials,
        };
        ready(credentials.map(Self).ok_or_else(|| refused(request)))
    }
}

/// Returns the credentials of a request, if it has well-formed ones.
#[must_use]
pub fn credentials(request: &HttpRequest) -> Option<Credentials> {
    Credentials::from_token(bearer(request)?)
}
