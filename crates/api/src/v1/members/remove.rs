//! `DELETE /v1/orgs/{organizationId}/members/{userId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Removes a member with its grants, its places in teams and its tokens for this organization. Everyone may leave, a
/// blocked organization as well.
pub async fn remove_member_from_organization_by_id(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize_about(user, Action::RemoveMember)?;
            tx.lock_organization_of(&organization)?;
            let member = tx.member(&organization, user)?;
            Ok(tx.remove_member(&organization, &member)?)
        })
        .await?;
    Ok(respond::no_content())
}
