//! Bounds on the requests per user, and per client address for requests without a valid token.

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, RETRY_AFTER};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _, ResponseError};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use moka::sync::Cache;
use quire_domain::error::Reason;
use quire_domain::ids::UserId;
use quire_storage::lookup::Credentials;

use super::observe::ClientAddress;
use super::scope::RequestScope;
use crate::app::base_path;
use crate::error::ApiError;
use crate::extract::credentials;
use crate::state::{Settings, State};

/// Number of users, addresses and tokens that are remembered, each until its quota is full again.
const REMEMBERED: u64 = 100_000;
const REST: Duration = Duration::from_secs(120);
/// Paths that are never refused, so that a probe does not fail because of other requests from its address. Their cost
/// is bounded.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// The request counts of this node.
pub struct RateLimits {
    users: Counts<UserId>,
    addresses: Counts<IpAddr>,
    /// The users of tokens that were found valid. Used for counting only: every request looks its token up, so a
    /// revoked one is refused at once. Unknown tokens are never inserted, so strangers cannot evict entries.
    owners: Cache<Credentials, UserId>,
    probes: [String; 2],
}

impl RateLimits {
    /// Applies the bounds of the deployment.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let base = base_path(&settings.base_url);
        Self {
            users: Counts::new(settings.rate_limit),
            addresses: Counts::new(settings.peer_rate_limit),
            owners: remembered(),
            probes: PROBES.map(|path| format!("{base}{path}")),
        }
    }
}

/// Request counts by key.
struct Counts<K> {
    quota: Option<Quota>,
    counts: Cache<K, Arc<DefaultDirectRateLimiter>>,
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static> Counts<K> {
    /// Allows `per_minute` requests per minute and key; 0 for no bound.
    fn new(per_minute: u32) -> Self {
        Self { quota: NonZeroU32::new(per_minute).map(Quota::per_minute), counts: remembered() }
    }

    /// Counts a request, or returns the time to wait if it exceeds the bound.
    fn count(&self, key: K) -> Option<Duration> {
        let quota = self.quota?;
        let limiter = self.counts.get_with(key, || Arc::new(RateLimiter::direct(quota)));
        limiter.check().err().map(|until| until.wait_time_from(DefaultClock::default().now()))
    }
}

fn remembered<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static>() -> Cache<K, V> {
    Cache::builder().max_capacity(REMEMBERED).time_to_idle(REST).build()
}

/// The keys that a request counts against.
struct Asking {
    credentials: Option<Credentials>,
    /// The user of the token, if it was found valid before.
    owner: Option<UserId>,
    address: Option<IpAddr>,
}

impl Asking {
    fn of(request: &ServiceRequest, limits: &RateLimits) -> Self {
        let credentials = credentials(request.request());
        let owner = credentials.and_then(|credentials| limits.owners.get(&credentials));
        let address = request.extensions().get::<ClientAddress>().and_then(|address| address.0);
        Self { credentials, owner, address: address.map(subscriber) }
    }

    /// Counts the request, or returns the time to wait. A token that is not known to be valid counts against the client
    /// address: otherwise every invented token would cost a lookup.
    fn count(&self, limits: &RateLimits) -> Option<Duration> {
        match self.owner {
            Some(user) => limits.users.count(user),
            None => self.address.and_then(|address| limits.addresses.count(address)),
        }
    }

    /// Remembers the user that the request found, or forgets a token that was refused, and corrects the count.
    fn learn(&self, limits: &RateLimits, status: StatusCode) {
        let Some(credentials) = self.credentials else { return };
        match (self.owner, RequestScope::current().actor()) {
            (None, Some(user)) => {
                limits.owners.insert(credentials, user);
                limits.users.count(user);
            }
            (Some(_), None) if status == StatusCode::UNAUTHORIZED => {
                limits.owners.invalidate(&credentials);
                self.address.and_then(|address| limits.addresses.count(address));
            }
            _ => {}
        }
    }
}

/// The address of one subscriber: an IPv6 subscriber has at least a /64 (RFC 6177), which counts as one address.
fn subscriber(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

/// Answers 429 to requests over a bound.
///
/// # Errors
/// Those of the services inside.
pub async fn rate_limit<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let state = request.app_data::<State>().cloned();
    let limits = state.as_ref().map(|state| &state.rate_limits);
    let Some(limits) = limits.filter(|limits| !limits.probes.iter().any(|path| path == request.path()))
    else {
        return Ok(next.call(request).await?.map_into_left_body());
    };
    let asking = Asking::of(&request, limits);
    if let Some(wait) = asking.count(limits) {
        let mut response = ApiError::new(Reason::RateLimited).error_response();
        let seconds = wait.as_secs().saturating_add(1);
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        return Ok(request.into_response(response).map_into_right_body());
    }
    let response = next.call(request).await?;
    asking.learn(limits, response.status());
    Ok(response.map_into_left_body())
}

#[cfg(test)]
mod tests {
    use super::subscriber;

    #[test]
    fn an_ipv6_subscriber_is_a_64_bit_prefix() {
        for (address, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2::", "2001:db8:1:2::"),
            ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ] {
            assert_eq!(subscriber(address.parse().unwrap()).to_string(), expected);
        }
    }
}
