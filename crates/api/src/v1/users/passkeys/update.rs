//! `PATCH /v1/user/passkeys/{passkeyId}`

use actix_web::HttpResponse;
use quire_domain::ids::PasskeyId;
use quire_domain::passkeys::PasskeyUpdate;
use quire_server::passkeys;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Renames a passkey of the caller.
pub async fn update_passkey(
    Caller(caller): Caller,
    Path(id): Path<PasskeyId>,
    Json(PasskeyUpdate { name }): Json<PasskeyUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let check = move |passkey| if_match.check(&present::passkey(passkey));
    let passkey = passkeys::rename(&state, caller, id, name.into_text()?, check).await?;
    respond::changed(&present::passkey(passkey))
}
