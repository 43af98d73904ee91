//! The caller's authenticator app.

use quire_domain::second_factors::{CodeProof, RecoveryCodes, Totp, TotpSecret};
use quire_server::second_factor;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const TOTP: Resource = Tag::User.at("/v1/user/totp", None);
    vec![
        Route::get(TOTP, SignedIn, "Get the current user's authenticator app", get_totp).answers::<Totp>(200),
        Route::post(TOTP, SignedIn, "Create a secret for an authenticator app", start_totp)
            .answers::<TotpSecret>(200),
        Route::post(
            Tag::User.at("/v1/user/totp/confirm", None),
            SignedIn,
            "Enable an authenticator app",
            confirm_totp,
        )
        .body::<CodeProof>()
        .answers::<RecoveryCodes>(200),
        Route::delete(TOTP, SignedIn, "Remove an authenticator app", delete_totp).answers_nothing(),
    ]
}

async fn get_totp(Caller(caller): Caller, request: HttpRequest, state: State) -> ApiResult<HttpResponse> {
    let factor = state
        .read(caller, |reader| {
            let actor = reader.own_actor()?;
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

async fn start_totp(Caller(caller): Caller, state: State) -> ApiResult<HttpResponse> {
    let started = second_factor::start(&state, caller).await?;
    let answer = TotpSecret { secret: started.text, url: started.url };
    respond::changed(&answer)
}

async fn confirm_totp(
    Caller(caller): Caller,
    Json(body): Json<CodeProof>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let code = body.code.into_text()?;
    let recovery_codes = second_factor::enable(&state, &request, caller, &code).await?;
    respond::changed(&RecoveryCodes { recovery_codes })
}

async fn delete_totp(Caller(caller): Caller, state: State) -> ApiResult<HttpResponse> {
    second_factor::remove(&state, caller).await?;
    Ok(respond::no_content())
}
