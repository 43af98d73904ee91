//! `POST /v1/user/totp`

use actix_web::HttpResponse;
use quire_domain::second_factors::TotpSecret;
use quire_server::second_factor;

use crate::error::ApiResult;
use crate::extract::Caller;
use crate::respond;
use crate::state::State;

/// Creates a secret for the caller's authenticator app.
pub async fn start_totp(Caller(caller): Caller, state: State) -> ApiResult<HttpResponse> {
    let started = second_factor::start(&state, caller).await?;
    let answer = TotpSecret { secret: started.text, url: started.url };
    respond::changed(&answer)
}
