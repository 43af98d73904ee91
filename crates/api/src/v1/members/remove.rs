//! `DELETE /v1/orgs/{organizationId}/members/{userId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Removes a member with its grants, its places in teams and its tokens for this organization. Everyone may leave, a blocked organization as well.
pub async fn handle(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let found = tx.organization(organization)?;
            let is_self = tx.seen_actor().is_some_and(|actor| actor.user == user);
            let organization = if is_self {
                found.authorize_even_blocked(Action::VisitOrganization)?
            } else {
                found.authorize(Action::AdministerOrganization)?
            };
            tx.lock_organization(organization.id)?;
            let member = tx.member(&organization, user)?;
            Ok(tx.remove_member(&organization, &member)?)
        })
        .await?;
    Ok(respond::no_content())
}
