//! `GET /v1/orgs/{organizationId}/openapi`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OpenApiSpecId, OrganizationId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the OpenAPI specifications of an organization, newest first.
pub async fn list_open_api_specs(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<OpenApiSpecId>::new(format!("openapi specs of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganizationContent)?;
            Ok(reader.openapi_specs(&organization, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |spec| spec.id, |spec| Ok(present::openapi_spec(&state.urls, &spec)))
}
