//! `GET /v1/collections/{collectionId}/spaces`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::CollectionId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::hierarchy::PositionKey;
use quire_storage::spaces::ListedSpace;

use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;

/// Lists the spaces directly in a collection that the caller may see, in order.
pub async fn list_spaces_in_collection_by_id(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let list = Listing::<PositionKey>::new(format!("spaces in {id}"), &query)?;
    let (after, limit) = list.position();
    let state = api.state.clone();
    let written = state
        .read(caller, move |reader| {
            let collection = reader.collection(id)?.authorize(Action::ViewCollection)?;
            let slice = reader.spaces_in(&collection, after.as_ref(), limit)?;
            list.write(slice, ListedSpace::key, |listed| {
                Ok(present::space(&api.state.urls, &listed.space, listed.role))
            })
        })
        .await?;
    written.respond(&request)
}
