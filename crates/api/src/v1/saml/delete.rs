//! `DELETE /v1/orgs/{organizationId}/saml/{samlProviderId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, SamlProviderId};
use quire_domain::policy::Action;
use quire_server::second_factor::require_recent_proof;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes a SAML provider.
pub async fn delete_organization_saml_provider(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, SamlProviderId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let provider = tx.saml_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            Ok(tx.delete_saml_provider(&provider)?)
        })
        .await?;
    Ok(respond::no_content())
}
