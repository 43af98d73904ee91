//! `DELETE /v1/orgs/{organizationId}/scim`

use actix_web::HttpResponse;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_server::second_factor::require_recent_proof;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes the token of an identity provider.
pub async fn delete_scim_token(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            Ok(tx.delete_scim_token(&organization)?)
        })
        .await?;
    Ok(respond::no_content())
}
