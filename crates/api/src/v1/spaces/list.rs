//! `GET /v1/orgs/{organizationId}/spaces`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::placement::PlaceKey;
use quire_storage::spaces::ListedSpace;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// The spaces of an organization that the caller may see: those at its root, then those in its collections, in their order.
pub async fn list_spaces_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<PlaceKey>::new(format!("spaces of {id}"), &query)?;
    let (after, limit) = list.position();
    let urls = state.urls.clone();
    let written = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
            let slice = reader.spaces_of(&organization, after.clone(), limit)?;
            list.write(slice, ListedSpace::key, |listed| {
                Ok(present::space(&urls, &listed.space, listed.role))
            })
        })
        .await?;
    written.respond(&request)
}
