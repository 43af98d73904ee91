//! Request ids, the access log and the metrics: one line and one measurement a request.

use std::net::IpAddr;
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage};
use quire_storage::audit::Change;
use uuid::Uuid;

use super::scope::RequestScope;
use crate::error::Cause;
use crate::state::State;

/// The header that names a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ids of callers are replaced, as are those with characters that a log shouldn't hold.
const MAX_ID: usize = 128;
/// How many characters of a path the audit log keeps.
const MAX_PATH: usize = 2_048;

/// The id of a request: the caller's own if it is sane.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

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
    let scope = RequestScope::new(change(&request, &id));
    let mut response = scope.clone().enclose(next.call(request)).await?;
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
            "request {id} {method} {route} {} {millis:.1} ms actor {scope} cause: {cause}",
            status.as_u16()
        ),
        None => log::info!("request {id} {method} {route} {} {millis:.1} ms actor {scope}", status.as_u16()),
    }
    Ok(response)
}

/// What the audit log says of a request, unless it only reads.
fn change(request: &ServiceRequest, id: &str) -> Option<Change> {
    let state = request.app_data::<State>()?;
    let pattern = request.match_pattern()?;
    let operation = state.audited.get(&(request.method().clone(), pattern))?;
    Some(Change {
        operation: (*operation).into(),
        method: request.method().as_str().to_owned(),
        path: request.path().chars().take(MAX_PATH).collect(),
        address: address(request, state.settings.trust_forwarded),
        request_id: id.to_owned(),
    })
}

/// Where a request came from: behind a proxy that the deployment trusts, what the proxy says.
fn address(request: &ServiceRequest, trust_forwarded: bool) -> Option<IpAddr> {
    let forwarded = || {
        let info = request.connection_info();
        info.realip_remote_addr().and_then(|address| address.parse().ok())
    };
    let peer = || request.peer_addr().map(|address| address.ip());
    if trust_forwarded { forwarded().or_else(peer) } else { peer() }
}

fn request_id(request: &ServiceRequest) -> String {
    let sane = |id: &&str| {
        (1..=MAX_ID).contains(&id.len())
            && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:/+=".contains(&b))
    };
    let own = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(sane);
    own.map_or_else(|| Uuid::new_v4().to_string(), str::to_owned)
}
