//! `DELETE /v1/user/sessions/{sessionId}`

use actix_web::HttpResponse;
use quire_domain::error::Reason;
use quire_domain::ids::SessionId;
use quire_storage::tokens::Revocation;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Ends a session of the caller, immediately on every node.
pub async fn delete_session(
    Caller(caller): Caller,
    Path(session): Path<SessionId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let actor = tx.actor()?;
            match tx.revoke_own_session(actor, session)? {
                Revocation::Done => Ok(()),
                Revocation::Stronger => Err(ApiError::new(Reason::Forbidden)
                    .with_message("An API token with limits cannot end sessions.")),
            }
        })
        .await?;
    Ok(respond::no_content())
}
