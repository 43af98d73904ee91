//! `PATCH /v1/orgs/{organizationId}/link-invites/{inviteId}`

use actix_web::HttpResponse;
use quire_domain::Role;
use quire_domain::ids::{InviteId, OrganizationId};
use quire_domain::invites::InviteUpdate;
use quire_domain::patch::Patch;
use quire_domain::policy::Action;
use quire_storage::invites::InviteTarget;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Changes the role that an invite link gives from now on.
pub async fn update_organization_invite_by_id(
    Caller(caller): Caller,
    Path((id, invite)): Path<(OrganizationId, InviteId)>,
    OptionalJson(body): OptionalJson<InviteUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let invite = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            tx.lock_invite(&organization, invite)?;
            let found = tx.invite(id, invite)?;
            if_match.check_with(|| Ok(present::invite(&urls, found.clone())))?;
            let role = match role_for(&found.target, body)? {
                Patch::Keep => return Ok(found),
                Patch::Clear => None,
                Patch::Set(role) => Some(role),
            };
            tx.set_invite_role(&organization, &found, role)?;
            Ok(tx.invite(id, invite)?)
        })
        .await?;
    respond::changed(&present::invite(&state.urls, invite))
}

/// Returns the key for the target of the invite. The other key is refused.
fn role_for(target: &InviteTarget, body: InviteUpdate) -> ApiResult<Patch<Role>> {
    let InviteUpdate { role, level } = body;
    let is_to_organization = matches!(target, InviteTarget::Organization);
    if is_to_organization && !level.is_keep() {
        return Err(ApiError::invalid_field("level", "must be absent for an invite to the organization"));
    }
    if !is_to_organization && !role.is_keep() {
        return Err(ApiError::invalid_field("role", "must be absent for an invite to a space or collection"));
    }
    Ok(if is_to_organization { role } else { level })
}
