//! The caller's token.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest};
use quire_domain::error::Reason;
use quire_storage::lookup::Credentials;

use crate::error::ApiError;

/// The credentials in the `Authorization` header; 401 when they are missing or can't be a token.
#[derive(Clone, Copy, Debug)]
pub struct Caller(pub Credentials);

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(credentials(request).map(Self).ok_or_else(|| ApiError::new(Reason::Unauthenticated)))
    }
}

/// The credentials of a caller who may have the key of a share link or a visitor token instead: those of nobody when
/// there is a `shareKey`
/// or a `jwtToken` and no `Authorization` header; 401 without either.
#[derive(Clone, Copy, Debug)]
pub struct Visitor(pub Credentials);

impl FromRequest for Visitor {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let has_key = request
            .query_string()
            .split('&')
            .any(|parameter| parameter.starts_with("shareKey=") || parameter.starts_with("jwtToken="));
        let has_header = request.headers().contains_key(header::AUTHORIZATION);
        let credentials = match credentials(request) {
            None if has_key && !has_header => Some(Credentials::NOBODY),
            credentials => credentials,
        };
        ready(credentials.map(Self).ok_or_else(|| ApiError::new(Reason::Unauthenticated)))
    }
}

/// The credentials of a request, if it has well-formed ones.
///
/// The scheme is compared without case, as RFC 9110 (11.1) asks.
#[must_use]
pub fn credentials(request: &HttpRequest) -> Option<Credentials> {
    let value = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| Credentials::from_token(token.trim()))?
}
