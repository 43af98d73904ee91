//! `PATCH …/permissions/users/{userId}` and `…/teams/{teamId}`

use actix_web::HttpResponse;
use quire_domain::patch::Patch;
use quire_domain::permissions::PermissionUpdate;

use super::target::{GrantTarget, GranteeId, Intent};
use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;

/// Changes a grant; `null` revokes it. Inherited permissions are not affected.
pub async fn update_grant<P: GrantTarget, G: GranteeId>(
    Caller(caller): Caller,
    Path((container, grantee)): Path<(P, G)>,
    OptionalJson(PermissionUpdate { role }): OptionalJson<PermissionUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let opened = container.open(tx, Intent::Change)?;
            if_match.check_untagged()?;
            let (shared, grantee) = (opened.shared(), grantee.grantee());
            match role {
                Patch::Keep => tx.require_grant(shared, grantee)?,
                Patch::Clear => tx.revoke_grant(shared, grantee)?,
                Patch::Set(role) => tx.change_grant(shared, grantee, role)?,
            }
            Ok(())
        })
        .await?;
    Ok(respond::no_content())
}
