//! `POST /v1/invites/{inviteId}/register`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::InviteId;
use quire_domain::invites::{InviteRegister, Registration};
use quire_storage::lookup::Credentials;

use crate::error::ApiResult;
use crate::extract::{Json, Path};
use crate::respond;
use crate::state::State;

/// Creates an account for the bearer of an e-mail invite's secret, and accepts the invite with it. Only this response
/// contains the token.
pub async fn register_with_invite(
    Path(invite): Path<InviteId>,
    Json(body): Json<InviteRegister>,
    state: State,
) -> ApiResult<HttpResponse> {
    let InviteRegister { secret, display_name } = body;
    let (secret, display_name) = (secret.into_text()?, display_name.into_text()?);
    let made = state
        .transact(Credentials::ANONYMOUS, move |tx| {
            Ok(tx.register_with_invite(invite, &secret, display_name.as_deref())?)
        })
        .await?;
    let location = state.urls.api(format_args!("users/{}", made.user));
    let registration = Registration { organization: made.organization, user: made.user, token: made.token };
    respond::created(&location, &registration)
}
