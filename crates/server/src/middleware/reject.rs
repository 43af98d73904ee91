//! Token check before other errors are reported.

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _, ResponseError};
use quire_domain::error::Reason;

use super::scope::RequestScope;
use crate::extract::credentials;
use crate::routing::Matched;
use crate::state::State;
use crate::urls::base_path;

/// Checks the token of a request that was refused before its token was looked up. If the token is not valid, it answers
/// 401 instead, so that a caller without a valid token learns nothing about paths and bodies. Successful requests have
/// no extra cost.
///
/// # Errors
/// Errors of the inner services.
pub async fn reject<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let credentials = credentials(request.request()).filter(|_| is_for_programs(&request));
    let response = next.call(request).await?;
    let is_routed = response.request().extensions().contains::<Matched>();
    if !is_routed || !response.status().is_client_error() || RequestScope::current().actor().is_some() {
        return Ok(response.map_into_left_body());
    }
    let checked = match (credentials, response.request().app_data::<State>()) {
        (Some(credentials), Some(state)) => state.clone().check_token(credentials).await,
        _ => Ok(()),
    };
    match checked {
        Err(error) if error.reason() == Reason::Unauthenticated => {
            let mut answer = error.error_response();
            answer.head_mut().set_connection_type(response.response().head().connection_type());
            Ok(response.into_response(answer).map_into_right_body())
        }
        _ => Ok(response.map_into_left_body()),
    }
}

/// Returns whether a request has a token or is for the API. For pages, an ended session is the same as no session.
fn is_for_programs(request: &ServiceRequest) -> bool {
    let is_api = |state: &State| {
        let path = request.path().strip_prefix(base_path(&state.settings.base_url).as_str());
        path.is_some_and(|path| path == "/v1" || path.starts_with("/v1/"))
    };
    request.headers().contains_key(header::AUTHORIZATION) || request.app_data::<State>().is_some_and(is_api)
}
