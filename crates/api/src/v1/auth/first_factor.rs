//! Responses to requests that prove the first factor of a user.

use actix_web::{HttpResponse, ResponseError as _};
use quire_domain::error::Reason;
use quire_server::second_factor;
use quire_storage::second_factors::FirstFactor;

use crate::error::{ApiError, ApiResult};
use crate::state::State;
use crate::{present, respond, session_cookie};

/// Returns the user with the cookie of the session. A user with a second factor gets 401 and a cookie for the next
/// step. The secret of the session is in the cookie alone.
pub(super) async fn respond_to(state: &State, factor: FirstFactor) -> ApiResult<HttpResponse> {
    let session = match factor {
        FirstFactor::SignedIn(session) => session,
        FirstFactor::NeedsProvider(_) => return Err(ApiError::new(Reason::SingleSignOnRequired)),
        FirstFactor::NeedsCode(user) => {
            let mut response = ApiError::new(Reason::SecondFactorRequired).error_response();
            second_factor::remember(state, &mut response, user)?;
            return Ok(response);
        }
    };
    let (user, created_at) = state.read(session.credentials(), |reader| Ok(reader.own_user()?)).await?;
    let mut response = respond::changed(&present::current_user(&state.urls, &user, created_at))?;
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    Ok(response)
}
