//! The identity provider and the body of a request.

use std::future::{Future, Ready, ready};
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::BytesMut;
use actix_web::{FromRequest, HttpMessage as _};
use quire_domain::bounds::SCIM_BODY_MAX;
use quire_domain::scim::{ScimProblem, ScimType};
use quire_server::middleware::scope::RequestScope;
use quire_storage::operations::audit::Change;

use super::{ScimError, ScimResult};
use crate::extract::{BodyDeadline, scim_credentials};
use crate::prelude::*;

/// Token of an identity provider, and the organization in the path. The first statement looks the token up. An
/// organization that does not exist gets the same response as a wrong token.
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
/// An error for a route without an entry.
pub(super) fn change() -> Result<Change, ScimError> {
    let change = RequestScope::current().pending();
    change.ok_or_else(|| ApiError::internal(anyhow::anyhow!("the route has no entry")).into())
}

/// JSON object. The token is checked before the body is read, so that unauthenticated requests use no memory.
#[derive(Clone, Debug)]
pub(super) struct Body(pub(super) Map<String, Value>);

impl FromRequest for Body {
    type Error = ScimError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ScimError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        Box::pin(read(request.clone(), payload.take()))
    }
}

async fn read(request: HttpRequest, mut payload: Payload) -> ScimResult<Body> {
    let Provider { credentials, organization } = Provider::of(&request)?;
    let state = request.app_data::<State>().cloned();
    let state = state.ok_or_else(|| ApiError::internal(anyhow::anyhow!("there is no state")))?;
    state.read(credentials, move |reader| Ok(reader.scim_access(organization).map(drop)?)).await?;
    let limit = u64::try_from(SCIM_BODY_MAX).unwrap_or(u64::MAX);
    let (arrival, mut room) = (BodyDeadline::of(&state.settings, limit), state.bodies.of_body());
    let mut body = BytesMut::new();
    while let Some(chunk) = arrival.next(&mut payload).await? {
        let chunk = chunk.map_err(|error| syntax(&format!("The body could not be read: {error}.")))?;
        if body.len().saturating_add(chunk.len()) > SCIM_BODY_MAX {
            let message = format!("The body is larger than {SCIM_BODY_MAX} bytes.");
            return Err(ApiError::new(Reason::PayloadTooLarge).with_message(message).into());
        }
        room.take(chunk.len())?;
        body.extend_from_slice(&chunk);
    }
    // The room is held as long as the request, because the parsed value is.
    request.extensions_mut().insert(room);
    match serde_json::from_slice(&body) {
        Ok(Value::Object(attributes)) => Ok(Body(attributes)),
        Ok(_) => Err(syntax("The body must be a JSON object.").into()),
        Err(error) => Err(syntax(&format!("The body is not valid JSON: {error}.")).into()),
    }
}

fn syntax(detail: &str) -> ScimProblem {
    ScimProblem::new(ScimType::InvalidSyntax, detail)
}
