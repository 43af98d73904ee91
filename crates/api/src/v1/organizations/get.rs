//! `GET /v1/orgs/{organizationId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns an organization, for its members.
pub async fn get_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let organization = state
        .read(caller, move |reader| Ok(reader.organization(id)?.authorize(Action::ViewOrganization)?))
        .await?;
    respond::ok(&request, &present::organization(&state.urls, organization.into_inner())?)
}
