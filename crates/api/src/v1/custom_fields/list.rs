//! `GET /v1/orgs/{organizationId}/custom-fields`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{CustomFieldId, OrganizationId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the custom fields of an organization, newest first.
pub async fn list_organization_custom_fields(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<CustomFieldId>::new(format!("custom fields of {id}"), &query)?;
    let (after, limit) = list.position();
    let (slice, permissions) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganizationContent)?;
            let slice = reader.custom_fields_of(&organization, after, limit)?;
            Ok((slice, present::definition_permissions(&organization)))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |field| field.id,
        |field| Ok(present::custom_field(&state.urls, id, field, permissions)),
    )
}
