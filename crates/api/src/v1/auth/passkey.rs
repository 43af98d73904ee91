//! Signing in with a passkey.

use quire_domain::passkeys::{PasskeyChallenge, PasskeySignIn};
use quire_domain::users::CurrentUser;
use quire_server::{last_sign_in, passkeys, second_factor};

use crate::prelude::*;
use crate::session_cookie;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post(
            Tag::User.at("/v1/auth/passkey/start", None),
            Public,
            "Start a sign-in with a passkey",
            start_passkey_sign_in,
        )
        .answers::<PasskeyChallenge>(200)
        .unaudited("it makes a challenge, and no one is signed in"),
        Route::post(
            Tag::User.at("/v1/auth/passkey", None),
            Public,
            "Sign in with a passkey",
            sign_in_with_passkey,
        )
        .body::<PasskeySignIn>()
        .answers::<CurrentUser>(200),
    ]
}

async fn start_passkey_sign_in(request: HttpRequest, state: State) -> ApiResult<HttpResponse> {
    let challenge = passkeys::start_sign_in(&state, &request).await?;
    respond::changed(&present::passkey_challenge(challenge))
}

async fn sign_in_with_passkey(
    Json(body): Json<PasskeySignIn>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let session = passkeys::sign_in(&state, &request, body.challenge, &body.credential).await?;
    let (user, created_at) = state.read(session.credentials(), |reader| Ok(reader.own_user()?)).await?;
    let mut response = respond::changed(&present::current_user(&state.urls, &user, created_at))?;
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    // The passkey replaces the code that the previous step asked the browser for.
    second_factor::forget(&state, &mut response);
    last_sign_in::remember(&state, &mut response, last_sign_in::PASSKEY);
    Ok(response)
}
