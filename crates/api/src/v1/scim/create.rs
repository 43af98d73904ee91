//! `POST /v1/orgs/{organizationId}/scim`

use actix_web::HttpResponse;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::scim::{ScimToken, ScimTokenCreate};
use quire_server::second_factor::require_recent_proof;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::state::State;
use crate::{present, respond};

/// Creates the token of an identity provider. It replaces the one that the organization has.
pub async fn create_scim_token(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    OptionalJson(ScimTokenCreate { default_role }): OptionalJson<ScimTokenCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let issued = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            Ok(tx.create_scim_token(&organization, default_role)?)
        })
        .await?;
    let scim = present::scim(&state.urls, id, Some(issued.record));
    let location = scim.urls.location.clone();
    respond::created(&location, &ScimToken { scim, token: issued.token })
}
