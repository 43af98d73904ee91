//! Request ids, the access log and the metrics: one line and one measurement a request.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest};
use quire_domain::ids::UserId;
use uuid::Uuid;

use crate::error::Cause;
use crate::state::State;

/// The header that names a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ids of callers are replaced, as are those with characters that a log shouldn't hold.
const MAX_ID: usize = 128;

/// The id of a request: the caller's own if it is sane.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// Who a request was answered as, noted for the log.
#[derive(Clone, Copy, Debug)]
pub struct ActorId(pub UserId);

/// Names the request, measures it and logs it: id, method, route, status, milliseconds, actor and cause. Never bodies or tokens.
///
/// # Errors
/// Those of the services inside, which become responses before they get here.
pub async fn observe<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let started = Instant::now();
    let id = request_id(&request);
    request.extensions_mut().insert(RequestId(id.clone()));
    let mut response = next.call(request).await?;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let request = response.request();
    let route = request.match_pattern().unwrap_or_else(|| "-".to_owned());
    let status = response.status();
    let elapsed = started.elapsed();
    if let Some(state) = request.app_data::<State>() {
        state.metrics.record(request.method().as_str(), &route, status.as_u16(), elapsed);
    }
    let actor =
        request.extensions().get::<ActorId>().map_or_else(|| "-".to_owned(), |actor| actor.0.to_string());
    let cause = response.response().extensions().get::<Cause>().cloned();
    let (method, millis) = (request.method(), elapsed.as_secs_f64() * 1_000.0);
    match cause {
        Some(Cause(cause)) => log::error!(
            "request {id} {method} {route} {} {millis:.1} ms actor {actor} cause: {cause}",
            status.as_u16()
        ),
        None => log::info!("request {id} {method} {route} {} {millis:.1} ms actor {actor}", status.as_u16()),
    }
    Ok(response)
}

fn request_id(request: &ServiceRequest) -> String {
    let sane = |id: &&str| {
        (1..=MAX_ID).contains(&id.len())
            && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:/+=".contains(&b))
    };
    let own = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(sane);
    own.map_or_else(|| Uuid::new_v4().to_string(), str::to_owned)
}

/// Notes for the log who a request is answered as.
pub fn note_actor(request: &HttpRequest, user: UserId) {
    request.extensions_mut().insert(ActorId(user));
}
