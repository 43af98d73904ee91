//! `GET /v1/orgs/{organizationId}/sso`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounds::SAML_PROVIDERS_MAX;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::saml::SsoLogins;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Lists the login options of an organization, one for each active provider. Allowed for all members, including guests.
pub async fn list_sso_provider_logins_in_organization(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let all = u16::try_from(SAML_PROVIDERS_MAX).unwrap_or(u16::MAX);
    let providers = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
            Ok(reader.saml_providers_of(&organization, None, all)?)
        })
        .await?;
    let active = providers.items.into_iter().filter(|provider| provider.is_complete());
    let items = active.map(|provider| present::sso_login(&state.urls, provider)).collect();
    respond::ok(&request, &SsoLogins { items })
}
