//! Request ids, access log and metrics: one line and one measurement per request.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage};
use quire_storage::ReadRoute;
use quire_storage::operations::audit::Change;
use uuid::Uuid;

use super::positions;
use super::scope::RequestScope;
use crate::audit_rule::Recording;
use crate::error::Cause;
use crate::routing::{self, Matched};
use crate::state::State;

/// Header with the id of a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Maximum length of an accepted id. Longer ids, and ids with characters that must not be logged, are replaced.
const MAX_ID: usize = 128;
/// Maximum length of a path in the audit log, in characters.
const MAX_PATH: usize = 2_048;

/// Request id: the caller's if it is acceptable.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// Client address, resolved behind trusted proxies.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub Option<IpAddr>);

/// Finds the route of the request, assigns an id, measures the request and logs it: id, method, route, status,
/// milliseconds, address, actor and cause. Bodies and tokens are never logged.
///
/// # Errors
/// Errors of the inner services. They have been converted to responses before.
pub async fn observe<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let started = Instant::now();
    let matched = routing::find(&mut request);
    let id = request_id(&request);
    request.extensions_mut().insert(RequestId(id.clone()));
    let address = address(&request);
    request.extensions_mut().insert(ClientAddress(address));
    let entry = matched.as_ref().and_then(|matched| change(&request, matched, &id, address));
    let replicated = replicated(&request);
    let may_be_replicated = replicated.is_some() && [Method::GET, Method::HEAD].contains(request.method());
    let route = if may_be_replicated { ReadRoute::open() } else { ReadRoute::primary() };
    let scope = RequestScope::new(entry, route);
    if let Some(state) = &replicated {
        positions::note_sent(request.request(), &state.storage);
    }
    let mut response = scope.clone().enclose(next.call(request)).await?;
    if let Some(state) = &replicated {
        let request = response.request().clone();
        positions::record_position(&request, &state.storage, &scope, response.headers_mut());
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let request = response.request();
    let route = matched.as_ref().map_or("-", Matched::pattern);
    let status = response.status();
    let elapsed = started.elapsed();
    if let Some(state) = request.app_data::<State>() {
        state.metrics.record(request.method(), route, status.as_u16(), elapsed);
    }
    let cause = response.response().extensions().get::<Cause>().cloned();
    let (method, status, millis) = (request.method(), status.as_u16(), elapsed.as_secs_f64() * 1_000.0);
    let from = ClientAddress(address);
    match cause {
        Some(Cause(cause)) => log::error!(
            "request {id} {method} {route} {status} {millis:.1} ms from {from} actor {scope} cause: {cause}"
        ),
        None => {
            log::info!("request {id} {method} {route} {status} {millis:.1} ms from {from} actor {scope}");
        }
    }
    Ok(response)
}

/// Returns the state if the database has replicas that serve reads.
fn replicated(request: &ServiceRequest) -> Option<State> {
    request.app_data::<State>().filter(|state| state.storage.has_replicas()).cloned()
}

/// Form of the access log.
impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(address) => address.fmt(f),
            None => f.write_str("-"),
        }
    }
}

/// Returns the possible audit log entry of a request.
fn change(
    request: &ServiceRequest,
    matched: &Matched,
    id: &str,
    address: Option<IpAddr>,
) -> Option<(Recording, Change)> {
    let (recording, pattern) = (matched.recording()?, matched.pattern());
    let path = request.path();
    let path = recording.object.map_or(Cow::Borrowed(path), |object| object.shown(pattern, path));
    let named = recording.object.and_then(|object| object.named(pattern, &path));
    let change = Change {
        operation: recording.operation.into(),
        method: request.method().as_str().to_owned(),
        path: path.chars().take(MAX_PATH).collect(),
        named: named.map(|(kind, id)| (kind, id.chars().take(MAX_ID).collect())),
        address,
        request_id: id.to_owned(),
    };
    Some((recording, change))
}

fn address(request: &ServiceRequest) -> Option<IpAddr> {
    let state = request.app_data::<State>()?;
    let peer = request.peer_addr().map(|peer| peer.ip());
    state.settings.proxies.client(peer, request.headers())
}

fn request_id(request: &ServiceRequest) -> String {
    let sane = |id: &&str| {
        (1..=MAX_ID).contains(&id.len())
            && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:/+=".contains(&b))
    };
    let own = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(sane);
    own.map_or_else(|| Uuid::new_v4().to_string(), str::to_owned)
}
