//! `GET /v1/orgs/{organizationId}/saml/{samlProviderId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, SamlProviderId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns a SAML provider.
pub async fn get_organization_saml_provider_by_id(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, SamlProviderId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let provider = state
        .read(caller, move |reader| {
            let found = reader.saml_provider(organization, id)?;
            Ok(found.authorize(Action::InspectOrganization)?)
        })
        .await?;
    respond::ok(&request, &present::found_saml_provider(&state.urls, &provider))
}
