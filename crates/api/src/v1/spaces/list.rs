//! `GET /v1/orgs/{organizationId}/spaces`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_storage::hierarchy::PositionKey;

use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;

/// Lists the spaces that the caller may see: those at the root, then those in collections, in order.
pub async fn list_spaces_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let list = Listing::<PositionKey>::new(format!("spaces of {id}"), &query)?;
    let (after, limit) = list.position();
    let state = api.state.clone();
    let written = state
        .read(caller, move |reader| {
            let slice = reader.spaces_of(id, after.as_ref(), limit)?;
            api.spaces.write(reader, &api.state.urls, &list, slice)
        })
        .await?;
    written.respond(&request)
}
