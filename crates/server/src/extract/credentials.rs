//! API token or session of the caller.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest};
use quire_storage::lookup::Credentials;

use super::bearer::{bearer, refused};
use crate::error::ApiError;
use crate::session_cookie;

/// Credentials in the `Authorization` header, or without that header in the session cookie; 401 if they are missing or
/// malformed.
#[derive(Clone, Copy, Debug)]
pub struct Caller(pub Credentials);

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(credentials(request).map(Self).ok_or_else(|| refused(request)))
    }
}

/// Returns the credentials of a request, if they are well-formed: from the `Authorization` header, or without that
/// header from the session cookie.
#[must_use]
pub fn credentials(request: &HttpRequest) -> Option<Credentials> {
    if request.headers().contains_key(header::AUTHORIZATION) {
        return Credentials::from_token(bearer(request)?);
    }
    session_cookie::credentials(request)
}

/// Returns the credentials of an identity provider (SCIM), if the request has well-formed ones.
#[must_use]
pub fn scim_credentials(request: &HttpRequest) -> Option<Credentials> {
    Credentials::from_scim_token(bearer(request)?)
}
