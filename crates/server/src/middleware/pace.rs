//! Bodies of responses in pieces, with a bound on the memory for them.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError as _};
use quire_domain::error::Reason;

use crate::error::ApiError;
use crate::state::State;
use crate::unread::Paced;

/// Passes the bodies of all responses on in pieces, and bounds the memory for them. The outermost middleware, since it
/// must see the bodies as they are sent.
///
/// # Errors
/// Those of the inner services.
pub async fn pace<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<Paced>, Error> {
    let state = request.app_data::<State>().cloned();
    let (request, response) = next.call(request).await?.into_parts();
    let (head, body) = response.into_parts();
    let room = state.as_ref().map(|state| &state.unread);
    let response = match Paced::of(body.boxed(), room) {
        Some(body) => head.set_body(body),
        None => {
            let refusal = ApiError::new(Reason::Unavailable)
                .with_message("Too many responses wait for their readers. Retry later.");
            refusal.error_response().map_body(|_, body| Paced::from(body))
        }
    };
    Ok(ServiceResponse::new(request, response))
}
