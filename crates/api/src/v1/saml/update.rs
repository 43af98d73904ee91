//! `PATCH /v1/orgs/{organizationId}/saml/{samlProviderId}`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{OrganizationId, SamlProviderId};
use quire_domain::policy::Action;
use quire_domain::saml::SamlProviderUpdate;
use quire_storage::saml::SamlProviderChanges;

use super::certificate;
use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates a SAML provider.
pub async fn update_organization_saml_provider(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, SamlProviderId)>,
    OptionalJson(body): OptionalJson<SamlProviderUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let SamlProviderUpdate { label, entity_id, certificate, sso_url, default_team, default_role } = body;
    let (label, certificate) = (label.into_text()?, certificate.into_text()?);
    let (entity_id, sso_url) = (entity_id.into_text()?, sso_url.into_text()?);
    let checked = certificate.as_deref().map_or(Ok(()), certificate::check);
    let changes = SamlProviderChanges { label, sso_url, entity_id, certificate, default_role, default_team };
    let urls = state.urls.clone();
    let provider = state
        .transact(caller, move |tx| {
            let found = tx.saml_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            let provider = tx.lock_saml_provider(found)?;
            if_match.check(&present::found_saml_provider(&urls, &provider))?;
            checked?;
            let fresh = tx.update_saml_provider(&provider, changes)?;
            Ok(present::saml_provider(&urls, &provider, organization, fresh))
        })
        .await?;
    respond::changed(&provider)
}
