//! `GET /v1/orgs/{organizationId}/link-invites/{inviteId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{InviteId, OrganizationId};

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// An invite, for whoever has its link: also somebody who isn't in the organization yet.
pub async fn handle(
    Caller(caller): Caller,
    Path((organization, invite)): Path<(OrganizationId, InviteId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let invite = state.read(caller, move |reader| Ok(reader.invite(organization, invite)?)).await?;
    respond::ok(&request, &present::invite(&state.urls, invite))
}
