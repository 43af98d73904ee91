//! `PATCH /v1/orgs/{organizationId}/saml/{samlProviderId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, SamlProviderId};
use quire_domain::policy::Action;
use quire_domain::saml::SamlProviderUpdate;
use quire_server::second_factor::require_recent_proof;

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
    let checked = match &body.certificate {
        Some(certificate) => certificate::check(certificate.as_text()?),
        None => Ok(()),
    };
    let urls = state.urls.clone();
    let provider = state
        .transact(caller, move |tx| {
            let found = tx.saml_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            let provider = tx.lock_saml_provider(found)?;
            if_match.check(&present::found_saml_provider(&urls, &provider))?;
            checked?;
            let fresh = tx.update_saml_provider(&provider, body)?;
            Ok(present::saml_provider(&urls, &provider, organization, fresh))
        })
        .await?;
    respond::changed(&provider)
}
