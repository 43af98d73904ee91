//! `DELETE /v1/orgs/{organizationId}/oidc/{oidcProviderId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OidcProviderId, OrganizationId};
use quire_domain::policy::Action;
use quire_server::second_factor::require_recent_proof;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes an OpenID Connect provider.
pub async fn delete_oidc_provider_by_id(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, OidcProviderId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let provider = tx.oidc_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            Ok(tx.delete_oidc_provider(&provider)?)
        })
        .await?;
    Ok(respond::no_content())
}
