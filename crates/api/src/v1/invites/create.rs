//! `POST /v1/orgs/{organizationId}/link-invites`

use actix_web::HttpResponse;
use quire_domain::error::Reason;
use quire_domain::ids::OrganizationId;
use quire_domain::invites::{InviteCreate, InviteKind};
use quire_domain::policy::Action;
use quire_storage::invites::NewTarget;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Creates an invite link to an organization, space or collection, with a role.
pub async fn create_organization_invite(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<InviteCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let invite = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            if !organization.invite_links {
                return Err(ApiError::new(Reason::InviteLinksDisabled));
            }
            let kind = body.kind().map_err(|wrong| ApiError::invalid_field(wrong.field, wrong.message))?;
            let (target, field, role) = match kind {
                InviteKind::Organization(role) => (NewTarget::Organization, "role", role),
                InviteKind::Space(space, role) => (NewTarget::Space(space), "space", role),
                InviteKind::Collection(collection, role) => {
                    (NewTarget::Collection(collection), "collection", role)
                }
            };
            let invite = tx.create_invite(&organization, target, role)?;
            let invite = invite
                .ok_or_else(|| ApiError::invalid_field(field, "does not belong to the organization"))?;
            Ok(tx.invite(id, invite)?)
        })
        .await?;
    let location = state.urls.api(format_args!("orgs/{id}/link-invites/{}", invite.id));
    respond::created(&location, &present::invite(&state.urls, invite))
}
