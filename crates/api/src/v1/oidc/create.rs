//! `POST /v1/orgs/{organizationId}/oidc`

use actix_web::HttpResponse;
use quire_domain::ids::OrganizationId;
use quire_domain::oidc::OidcProviderCreate;
use quire_domain::policy::Action;
use quire_server::second_factor::require_recent_proof;
use quire_storage::oidc::NewOidcProvider;

use super::issuer;
use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Creates an OpenID Connect provider. The provider is not asked before the first sign-in.
pub async fn create_oidc_provider(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<OidcProviderCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let OidcProviderCreate { label, issuer, client_id, client_secret, default_team, default_role } = body;
    let (label, issuer) = (label.into_text()?, issuer.into_text()?);
    let (client_id, client_secret) = (client_id.into_text()?, client_secret.into_text()?);
    let checked = issuer::check(&issuer);
    let provider = NewOidcProvider { label, issuer, client_id, client_secret, default_role, default_team };
    let urls = state.urls.clone();
    let provider = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            checked?;
            let provider = tx.create_oidc_provider(&organization, &provider)?;
            Ok(present::oidc_provider(&urls, id, provider))
        })
        .await?;
    respond::created(&provider.urls.location, &provider)
}
