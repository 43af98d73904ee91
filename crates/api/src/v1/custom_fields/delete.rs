//! `DELETE /v1/orgs/{organizationId}/custom-fields/{fieldName}`

use actix_web::HttpResponse;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes a custom field with its values in all spaces.
pub async fn delete_organization_custom_field(
    Caller(caller): Caller,
    Path((organization, name)): Path<(OrganizationId, String)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let field = tx.custom_field(organization, &name)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.delete_custom_field(field)?)
        })
        .await?;
    Ok(respond::no_content())
}
