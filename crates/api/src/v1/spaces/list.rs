//! `GET /v1/orgs/{organizationId}/spaces`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::spaces::SpaceListQuery;
use quire_storage::hierarchy::PositionKey;
use quire_storage::lookup::Credentials;
use quire_storage::spaces::{DeletedKey, ListedSpace};

use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;

/// Lists the spaces that the caller may see: those at the root, then those in collections, in order; or the deleted
/// ones that the caller may restore, last deleted first.
pub async fn list_spaces_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    Query(SpaceListQuery { deleted }): Query<SpaceListQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    if deleted == Some(true) {
        return deleted_spaces(caller, id, &query, &request, api).await;
    }
    let list = Listing::<PositionKey>::new(format!("spaces of {id}"), &query)?;
    let (after, limit) = list.position();
    let state = api.state.clone();
    let written = state
        .read(caller, move |reader| {
            let slice = reader.spaces_of(id, after.as_ref(), limit)?;
            list.write(slice, ListedSpace::key, |listed| {
                Ok(present::space(&api.state.urls, &listed.space, listed.role))
            })
        })
        .await?;
    written.respond(&request)
}

async fn deleted_spaces(
    caller: Credentials,
    id: OrganizationId,
    query: &PageQuery,
    request: &HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let list = Listing::<DeletedKey>::new(format!("deleted spaces of {id}"), query)?;
    let (after, limit) = list.position();
    let read = api.state.read(caller, move |reader| {
        let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
        Ok(reader.deleted_spaces(&organization, after, limit)?)
    });
    let slice = read.await?;
    let urls = &api.state.urls;
    list.respond(
        request,
        slice,
        |listed| DeletedKey::of(&listed.space),
        |listed| Ok(present::space(urls, &listed.space, listed.role)),
    )
}
