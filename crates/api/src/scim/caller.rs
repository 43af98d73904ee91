//! The identity provider of a request.

use std::future::{Ready, ready};

use actix_web::FromRequest;
use actix_web::dev::Payload;
use quire_server::middleware::scope::RequestScope;
use quire_storage::operations::audit::Change;

use super::ScimError;
use crate::extract::scim_credentials;
use crate::prelude::*;

/// Token of an identity provider, and the organization in the path. The token is looked up with the first statement.
/// An organization that does not exist is answered like a wrong token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Provider {
    pub(super) credentials: Credentials,
    pub(super) organization: OrganizationId,
}

impl Provider {
    pub(super) fn of(request: &HttpRequest) -> Result<Self, ScimError> {
        let organization = request.match_info().get("organizationId").and_then(|id| id.parse().ok());
        match (scim_credentials(request), organization) {
            (Some(credentials), Some(organization)) => Ok(Self { credentials, organization }),
            _ => Err(ApiError::new(Reason::Unauthenticated).into()),
        }
    }
}

impl FromRequest for Provider {
    type Error = ScimError;
    type Future = Ready<Result<Self, ScimError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request))
    }
}

/// Returns the audit log entry of the current request.
///
/// # Errors
/// A route without an entry.
pub(super) fn change() -> Result<Change, ScimError> {
    let change = RequestScope::current().pending();
    change.ok_or_else(|| ApiError::internal(anyhow::anyhow!("the route has no entry")).into())
}
