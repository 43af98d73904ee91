//! Callers that read: users, and visitors of sites.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use quire_domain::error::Reason;
use quire_storage::lookup::Credentials;

use super::bearer::{has_visitor_key, holder};
use super::credentials::credentials;
use crate::error::ApiError;
use crate::site_token::SiteTokenHolder;

/// Caller of a route that visitors of sites may use; 401 without well-formed credentials.
#[derive(Clone, Debug)]
pub enum Reading {
    /// Bearer of an API token that has not been looked up yet.
    User(Credentials),
    /// Holder of a site token.
    Visitor(Arc<SiteTokenHolder>),
}

impl Reading {
    /// Returns the credentials for lookups: anonymous ones for visitors.
    #[must_use]
    pub fn credentials(&self) -> Credentials {
        match self {
            Self::User(credentials) => *credentials,
            Self::Visitor(_) => Credentials::ANONYMOUS,
        }
    }

    /// Returns the holder of a site token.
    #[must_use]
    pub fn visitor(&self) -> Option<&Arc<SiteTokenHolder>> {
        match self {
            Self::User(_) => None,
            Self::Visitor(holder) => Some(holder),
        }
    }
}

impl FromRequest for Reading {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let user = credentials(request).map(Self::User);
        let caller = user.or_else(|| holder(request).map(Self::Visitor));
        ready(caller.ok_or_else(|| ApiError::new(Reason::Unauthenticated)))
    }
}

/// Like [`Reading`], for routes that also accept the key of a share link or a visitor token in the query: a request
/// with `shareKey` or `jwtToken` and without an `Authorization` header has anonymous credentials.
#[derive(Clone, Debug)]
pub struct Visiting(pub Reading);

impl FromRequest for Visiting {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if has_visitor_key(request) {
            return ready(Ok(Self(Reading::User(Credentials::ANONYMOUS))));
        }
        ready(Reading::from_request(request, payload).into_inner().map(Self))
    }
}
