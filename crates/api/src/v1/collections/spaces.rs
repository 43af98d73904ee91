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
    let slice = state
        .read(caller, move |reader| {
            let collection = reader.collection(id)?.authorize(Action::ViewCollection)?;
            Ok(reader.spaces_in(&collection, after.clone(), limit)?)
        })
        .await?;
    list.respond(&request, slice, ListedSpace::key, |listed| {
        Ok(present::space(&state.urls, &listed.space, listed.role))
    })
}
