//! `DELETE /v1/user/passkeys/{passkeyId}`

use actix_web::HttpResponse;
use quire_domain::ids::PasskeyId;
use quire_server::passkeys;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Removes a passkey of the caller, which then signs in no more.
pub async fn delete_passkey(
    Caller(caller): Caller,
    Path(id): Path<PasskeyId>,
    state: State,
) -> ApiResult<HttpResponse> {
    passkeys::remove(&state, caller, id).await?;
    Ok(respond::no_content())
}
