//! Request ids, the access log and the metrics: one line and one measurement a request.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage};
use quire_domain::ids::UserId;
use quire_storage::Reader;
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

/// Who the request of a task is answered as: empty until a lookup has found out. Shared with the threads that do the lookups.
#[derive(Clone, Default)]
pub(crate) struct NotedActor(Arc<OnceLock<UserId>>);

tokio::task_local! {
    static ACTOR: NotedActor;
}

impl NotedActor {
    /// That of the request which the current task answers; outside of a request, one that nobody reads.
    pub(crate) fn current() -> Self {
        ACTOR.try_with(Clone::clone).unwrap_or_default()
    }

    /// Notes whom a lookup has found; the first one stays.
    pub(crate) fn note(&self, reader: &Reader<'_>) {
        if let Some(actor) = reader.seen_actor() {
            let _ = self.0.set(actor.user);
        }
    }
}

impl fmt::Display for NotedActor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.get() {
            Some(user) => user.fmt(f),
            None => f.write_str("-"),
        }
    }
}

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
    let actor = NotedActor::default();
    let mut response = ACTOR.scope(actor.clone(), next.call(request)).await?;
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
