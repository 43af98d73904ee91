//! `PATCH /v1/orgs/{organizationId}/members/{userId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::members::MemberUpdate;
use quire_domain::patch::Patch;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Changes a member's role.
pub async fn update_member_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    OptionalJson(MemberUpdate { role }): OptionalJson<MemberUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let member = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            tx.lock_organization_of(&organization)?;
            let member = tx.member(&organization, user)?;
            if_match.check(&present::member(&urls, &member))?;
            match role {
                Patch::Keep => return Ok(member),
                Patch::Clear => tx.set_member_role(&organization, &member, None)?,
                Patch::Set(role) => tx.set_member_role(&organization, &member, Some(role))?,
            }
            Ok(tx.member(&organization, user)?)
        })
        .await?;
    respond::changed(&present::member(&state.urls, &member))
}
