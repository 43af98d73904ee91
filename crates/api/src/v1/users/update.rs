//! `PATCH /v1/user`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounded::IntoText as _;
use quire_domain::users::UserUpdate;
use quire_storage::Tx;

use crate::error::ApiResult;
use crate::extract::{Caller, Json};
use crate::own_user::{self, OwnUserUpdate};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Changes the caller's name or password.
pub async fn update_authenticated_user(
    Caller(caller): Caller,
    Json(body): Json<UserUpdate>,
    if_match: IfMatch,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let UserUpdate { display_name, password, current_password } = body;
    let update = OwnUserUpdate {
        display_name: display_name.into_text()?,
        password: password.into_text()?,
        current_password: current_password.into_text()?,
    };
    let urls = state.urls.clone();
    let check = move |tx: &mut Tx<'_>| {
        let (user, created_at) = tx.own_user()?;
        if_match.check_with(|| Ok(present::current_user(&urls, &user, created_at)))
    };
    own_user::update(&state, &request, caller, update, check).await?;
    let (user, created_at) = state.read(caller, |reader| Ok(reader.own_user()?)).await?;
    respond::changed(&present::current_user(&state.urls, &user, created_at))
}
