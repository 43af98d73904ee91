//! `GET /v1/orgs/{organizationId}/scim`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns the access of an identity provider.
pub async fn get_scim(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let token = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            Ok(reader.scim_token(&organization)?)
        })
        .await?;
    respond::ok(&request, &present::scim(&state.urls, id, token))
}
