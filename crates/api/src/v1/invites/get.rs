//! `GET /v1/orgs/{organizationId}/link-invites/{inviteId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{InviteId, OrganizationId};

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns an invite link to any user who knows its id, while the organization's links are enabled.
pub async fn get_organization_invite_link(
    Caller(caller): Caller,
    Path((organization, invite)): Path<(OrganizationId, InviteId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let invite = state.read(caller, move |reader| Ok(reader.open_invite(organization, invite)?)).await?;
    respond::ok(&request, &present::invite(&state.urls, invite))
}
