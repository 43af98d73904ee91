//! `DELETE /v1/user/tokens/{tokenId}`

use actix_web::HttpResponse;
use quire_domain::error::Reason;
use quire_domain::ids::TokenId;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Revokes one of the caller's tokens, the one that asks included, at once and on every node.
pub async fn handle(
    Caller(caller): Caller,
    Path(token): Path<TokenId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let actor = tx.actor()?;
            if actor.read_only {
                return Err(ApiError::new(Reason::Forbidden));
            }
            Ok(tx.revoke_own_token(actor, token)?)
        })
        .await?;
    Ok(respond::no_content())
}
