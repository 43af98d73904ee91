//! `POST /v1/orgs/{organizationId}/saml`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::saml::SamlProviderCreate;
use quire_server::second_factor::require_recent_proof;
use quire_storage::saml::NewSamlProvider;

use super::certificate;
use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Creates a SAML provider. The values of this service (`service`) are known at once; those of the identity provider
/// can be set later.
pub async fn create_organization_saml_provider(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<SamlProviderCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let SamlProviderCreate { label, entity_id, certificate, sso_url, default_team, default_role } = body;
    let (label, certificate) = (label.into_text()?, certificate.into_text()?);
    let (entity_id, sso_url) = (entity_id.into_text()?, sso_url.into_text()?);
    let checked = certificate.as_deref().map_or(Ok(()), certificate::check);
    let provider = NewSamlProvider { label, sso_url, entity_id, certificate, default_role, default_team };
    let urls = state.urls.clone();
    let provider = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            checked?;
            let provider = tx.create_saml_provider(&organization, &provider)?;
            Ok(present::saml_provider(&urls, &organization, id, provider))
        })
        .await?;
    respond::created(&provider.urls.location, &provider)
}
