//! `GET /v1/user/totp`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::second_factors::Totp;

use crate::error::ApiResult;
use crate::extract::Caller;
use crate::respond;
use crate::state::State;

/// Returns the state of the caller's authenticator app, without its secret.
pub async fn get_totp(Caller(caller): Caller, request: HttpRequest, state: State) -> ApiResult<HttpResponse> {
    let factor = state
        .read(caller, |reader| {
            let actor = reader.actor()?;
            Ok(reader.second_factor(actor.user)?)
        })
        .await?;
    let factor = factor.filter(|factor| factor.confirmed_at.is_some());
    let totp = Totp {
        enabled: factor.is_some(),
        confirmed_at: factor.and_then(|factor| factor.confirmed_at),
        recovery_codes_left: factor.map_or(0, |factor| u64::try_from(factor.codes_left).unwrap_or(0)),
    };
    respond::ok(&request, &totp)
}
