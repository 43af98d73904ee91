//! `DELETE /v1/user/tokens/{tokenId}`

use actix_web::HttpResponse;
use quire_domain::error::Reason;
use quire_domain::ids::TokenId;
use quire_storage::tokens::Revocation;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Revokes the token used, or one of the caller's with at most its permissions, immediately on every node.
pub async fn delete_api_token(
    Caller(caller): Caller,
    Path(token): Path<TokenId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let actor = tx.actor()?;
            match tx.revoke_own_token(actor, token)? {
                Revocation::Done => Ok(()),
                Revocation::Stronger => Err(ApiError::new(Reason::Forbidden).with_message(
                    "A token can only revoke itself and tokens with at most its own permissions.",
                )),
            }
        })
        .await?;
    Ok(respond::no_content())
}
