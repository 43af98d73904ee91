//! A bound on the requests of one token.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderValue, RETRY_AFTER};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use moka::sync::Cache;
use quire_domain::error::Reason;
use quire_storage::lookup::Credentials;

use crate::error::ApiError;
use crate::extract::credentials;
use crate::state::State;

/// Counts the requests of each token on this node. Tokens that rest are forgotten, so that strangers who try many can't fill
/// the memory.
pub struct RateLimits {
    quota: Option<Quota>,
    tokens: Cache<Credentials, Arc<DefaultDirectRateLimiter>>,
}

impl RateLimits {
    const TOKENS: u64 = 100_000;
    const REST: Duration = Duration::from_secs(120);

    /// At most `per_minute` requests a minute and token; 0: no bound.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        Self {
            quota: NonZeroU32::new(per_minute).map(Quota::per_minute),
            tokens: Cache::builder().max_capacity(Self::TOKENS).time_to_idle(Self::REST).build(),
        }
    }

    /// How long a token has to wait before its next request.
    fn wait(&self, credentials: Credentials) -> Option<Duration> {
        let quota = self.quota?;
        let limiter = self.tokens.get_with(credentials, || Arc::new(RateLimiter::direct(quota)));
        limiter.check().err().map(|until| until.wait_time_from(DefaultClock::default().now()))
    }
}

/// Answers 429 to a token over its bound.
///
/// # Errors
/// Those of the services inside.
pub async fn rate_limit<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let state = request.app_data::<State>().cloned();
    let wait =
        state.zip(credentials(request.request())).and_then(|(state, token)| state.rate_limits.wait(token));
    let Some(wait) = wait else {
        return Ok(next.call(request).await?.map_into_left_body());
    };
    let mut response = ApiError::new(Reason::RateLimited).error_response();
    let seconds = wait.as_secs().saturating_add(1);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    Ok(request.into_response(response).map_into_right_body())
}
