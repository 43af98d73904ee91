//! `GET /v1/collections/{collectionId}/spaces`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::CollectionId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::placement::PlaceKey;
use quire_storage::spaces::ListedSpace;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// The spaces that stand in a collection itself and that the caller may see, in their order.
pub async fn list_spaces_in_collection_by_id(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<PlaceKey>::new(format!("spaces in {id}"), &query)?;
    let (after, limit) = list.position();
    let urls = state.urls.clone();
    let written = state
        .read(caller, move |reader| {
            let collection = reader.collection(id)?.authorize(Action::ViewCollection)?;
            let slice = reader.spaces_in(&collection, after.clone(), limit)?;
            list.write(slice, ListedSpace::key, |listed| {
                Ok(present::space(&urls, &listed.space, listed.role))
            })
        })
        .await?;
    written.respond(&request)
}
