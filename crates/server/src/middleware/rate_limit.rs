//! Rate limits per user, and per client address for requests without a valid token.

use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _, ResponseError};
use quire_domain::ids::UserId;
use quire_storage::lookup::Credentials;

use super::observe::ClientAddress;
use super::scope::RequestScope;
use crate::error::ApiError;
use crate::extract::credentials;
use crate::rate_limits::RateLimits;
use crate::state::State;

/// Keys that a request counts against.
struct LimitedRequest {
    credentials: Option<Credentials>,
    /// User of the token, if the token was verified before.
    owner: Option<UserId>,
    address: Option<IpAddr>,
}

impl LimitedRequest {
    fn of(request: &ServiceRequest, limits: &RateLimits) -> Self {
        let credentials = credentials(request.request());
        let owner = credentials.and_then(|credentials| limits.owner(&credentials));
        let address = request.extensions().get::<ClientAddress>().and_then(|address| address.0);
        Self { credentials, owner, address: address.map(subscriber) }
    }

    /// Counts the request, or returns the time to wait. A token that was not verified counts against the client
    /// address; otherwise every invented token would cost a lookup.
    fn count(&self, limits: &RateLimits) -> Option<Duration> {
        match self.owner {
            Some(user) => limits.count_user(user),
            None => self.address.and_then(|address| limits.count_address(address)),
        }
    }

    /// Caches the user that the request found, or removes a refused token, and corrects the count.
    fn learn(&self, limits: &RateLimits, status: StatusCode) {
        let Some(credentials) = self.credentials else { return };
        match (self.owner, RequestScope::current().actor()) {
            (None, Some(user)) => {
                limits.remember_owner(credentials, user);
                limits.count_user(user);
            }
            (Some(_), None) if status == StatusCode::UNAUTHORIZED => {
                limits.forget_owner(&credentials);
                self.address.and_then(|address| limits.count_address(address));
            }
            _ => {}
        }
    }
}

/// Returns the address to count. An IPv6 subscriber has at least a /64 (RFC 6177), which counts as one address.
pub(crate) fn subscriber(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

/// Answers requests over a rate limit with 429.
///
/// # Errors
/// Errors of the inner services.
pub async fn rate_limit<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let state = request.app_data::<State>().cloned();
    let limits = state.as_ref().map(|state| &state.rate_limits);
    let Some(limits) = limits.filter(|limits| !limits.is_probe(request.path())) else {
        return Ok(next.call(request).await?.map_into_left_body());
    };
    let asking = LimitedRequest::of(&request, limits);
    if let Some(wait) = asking.count(limits) {
        let response = ApiError::rate_limited(wait).error_response();
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
