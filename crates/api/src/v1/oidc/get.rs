//! `GET /v1/orgs/{organizationId}/oidc/{oidcProviderId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OidcProviderId, OrganizationId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns an OpenID Connect provider.
pub async fn get_oidc_provider_by_id(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, OidcProviderId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let provider = state
        .read(caller, move |reader| {
            let found = reader.oidc_provider(organization, id)?;
            Ok(found.authorize(Action::InspectOrganization)?)
        })
        .await?;
    respond::ok(&request, &present::oidc_provider(&state.urls, organization, provider.item.clone()))
}
