//! Backpressure for response bodies: they are sent in pieces, with a bound on their memory.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError as _};
use quire_domain::error::Reason;

use crate::error::ApiError;
use crate::state::State;
use crate::unread::Paced;

/// Sends response bodies in pieces, and bounds their memory. This is the outermost middleware, because it must see the
/// bodies as they are sent.
///
/// # Errors
/// Errors of the inner services.
pub async fn pace<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<Paced>, Error> {
    let state = request.app_data::<State>().cloned();
    let (request, response) = next.call(request).await?.into_parts();
    let (head, body) = response.into_parts();
    let budget = state.as_ref().map(|state| &state.unread);
    let response = match Paced::of(body.boxed(), budget) {
        Some(body) => head.set_body(body),
        None => {
            let refusal = ApiError::new(Reason::Unavailable)
                .with_message("Too many responses are waiting for slow clients. Retry later.");
            refusal.error_response().map_body(|_, body| Paced::from(body))
        }
    };
    Ok(ServiceResponse::new(request, response))
}
