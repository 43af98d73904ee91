//! `DELETE /v1/orgs/{organizationId}/link-invites/{inviteId}`

use actix_web::HttpResponse;
use quire_domain::ids::{InviteId, OrganizationId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes an invite link. Users who accepted it keep their membership.
pub async fn delete_organization_invite_by_id(
    Caller(caller): Caller,
    Path((id, invite)): Path<(OrganizationId, InviteId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.delete_invite(&organization, invite)?)
        })
        .await?;
    Ok(respond::no_content())
}
