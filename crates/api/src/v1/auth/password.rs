//! `POST /v1/auth/password`

use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use quire_domain::error::Reason;
use quire_domain::sign_in::PasswordSignIn;
use quire_server::second_factor;
use quire_storage::second_factors::FirstFactor;

use crate::error::{ApiError, ApiResult};
use crate::extract::Json;
use crate::state::State;
use crate::{present, respond, session_cookie, sign_in};

/// Signs the user with this address and password in. A user with a second factor gets 401 and a cookie for the next
/// step. The secret of the session is in the cookie alone.
pub async fn sign_in_with_password(
    Json(body): Json<PasswordSignIn>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let PasswordSignIn { email, password } = body;
    let (email, password) = (email.into_text()?, password.into_text()?);
    let session = match sign_in::with_password(&state, &request, email, password).await? {
        FirstFactor::SignedIn(session) => session,
        FirstFactor::NeedsCode(user) => {
            let mut response = ApiError::new(Reason::SecondFactorRequired).error_response();
            second_factor::remember(&state, &mut response, user)?;
            return Ok(response);
        }
    };
    let caller = session.credentials();
    let (user, created_at) = state.read(caller, |reader| Ok(reader.own_user()?)).await?;
    let mut response = respond::changed(&present::current_user(&state.urls, &user, created_at))?;
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    Ok(response)
}
