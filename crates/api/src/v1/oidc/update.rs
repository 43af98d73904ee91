//! `PATCH /v1/orgs/{organizationId}/oidc/{oidcProviderId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OidcProviderId, OrganizationId};
use quire_domain::oidc::OidcProviderUpdate;
use quire_domain::policy::Action;
use quire_server::second_factor::require_recent_proof;

use super::issuer;
use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates an OpenID Connect provider.
pub async fn update_oidc_provider_by_id(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, OidcProviderId)>,
    OptionalJson(body): OptionalJson<OidcProviderUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let checked = match &body.issuer {
        Some(issuer) => issuer::check(issuer.as_text()?),
        None => Ok(()),
    };
    let urls = state.urls.clone();
    let provider = state
        .transact(caller, move |tx| {
            let found = tx.oidc_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            let provider = tx.lock_oidc_provider(found)?;
            if_match.check(&present::oidc_provider(&urls, organization, provider.item.clone()))?;
            checked?;
            let fresh = tx.update_oidc_provider(&provider, body)?;
            Ok(present::oidc_provider(&urls, organization, fresh))
        })
        .await?;
    respond::changed(&provider)
}
