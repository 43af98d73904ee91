//! JSON bodies.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::BytesMut;
use actix_web::{FromRequest, HttpMessage as _};
use quire_domain::bounds::SCIM_BODY_MAX;
use quire_domain::scim::{ScimProblem, ScimType};

use super::caller::Provider;
use super::{ScimError, ScimResult};
use crate::extract::BodyDeadline;
use crate::prelude::*;

/// JSON object. The token is looked up before it is read, so that strangers use no memory.
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
    // The parsed value lives as long as the request.
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
