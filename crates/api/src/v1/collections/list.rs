//! `GET /v1/orgs/{organizationId}/collections`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::collections::CollectionQuery;
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::collections::ListedCollection;
use quire_storage::hierarchy::PositionKey;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the collections that the caller may see: those at the root, then those in other collections, in order.
pub async fn list_collections_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(CollectionQuery { nested }): Query<CollectionQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<PositionKey>::new(format!("collections of {id}, nested {nested}"), &page)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
            Ok(reader.collections_of(&organization, nested, after.clone(), limit)?)
        })
        .await?;
    list.respond(&request, slice, ListedCollection::key, |listed| {
        Ok(present::collection(&state.urls, &listed.collection, listed.role))
    })
}
