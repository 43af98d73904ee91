//! Routing: one trie lookup finds the resource of a path, the route of the method and the parameters.
//!
//! The lookup precedes all other work on a request, so that the log, the metrics, the audit log and the handler see the
//! same route.

mod handler;
mod table;

use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{Error, HttpMessage as _, ResponseError as _, web};

pub use handler::{Arguments, BoxedHandler};
pub use table::{Ending, Endpoint, Matched, Parameters, RouteTable, TableError};

use crate::error::ApiError;
use crate::{idempotency, respond};

/// Looks up the resource of a request in the [`RouteTable`] of the application data and sets the path parameters of the
/// request. If the path is known, it stores [`Matched`] in the extensions of the request.
pub fn find(request: &mut ServiceRequest) -> Option<Matched> {
    let table = request.app_data::<web::Data<RouteTable>>()?.clone();
    let (matched, parameters) = table.at(request.method(), request.match_info().unprocessed())?;
    for (name, value) in parameters {
        request.match_info_mut().add_static(name, value);
    }
    request.extensions_mut().insert(matched.clone());
    Some(matched)
}

/// Responds with the route found by [`find`]; 404 for an unknown path, and 405 for a method that the path does not
/// support.
///
/// # Errors
/// Never: errors are responses.
pub async fn dispatch(request: ServiceRequest) -> Result<ServiceResponse, Error> {
    let matched = request.extensions().get::<Matched>().cloned();
    let Some(matched) = matched else {
        return Ok(request.into_response(ApiError::not_found().error_response()));
    };
    let Some(endpoint) = matched.endpoint() else {
        return Ok(request.into_response(respond::method_not_allowed(matched.allowed())));
    };
    if idempotency::has_key(&request) {
        // Boxed, so that futures of requests without a key do not grow by its size.
        return Ok(Box::pin(idempotency::answer(request, |request| endpoint.handler.answer(request))).await);
    }
    Ok(endpoint.handler.answer(request).await)
}
