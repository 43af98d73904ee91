//! `DELETE /v1/orgs/{organizationId}/members/{userId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Removes a member with grants, team memberships and tokens for this organization. Members may always leave, also a
/// blocked organization.
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
