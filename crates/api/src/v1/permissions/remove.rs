//! `DELETE …/permissions/users/{userId}` and `…/teams/{teamId}`

use actix_web::HttpResponse;

use super::target::{GrantTarget, GranteeId, Intent};
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Revokes a grant, so that inherited permissions apply again.
pub async fn remove_grant<P: GrantTarget, G: GranteeId>(
    Caller(caller): Caller,
    Path((container, grantee)): Path<(P, G)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let opened = container.open(tx, Intent::Change)?;
            Ok(tx.revoke_grant(opened.shared(), grantee.grantee())?)
        })
        .await?;
    Ok(respond::no_content())
}
