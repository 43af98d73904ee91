//! `GET /v1/collections/{collectionId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::CollectionId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns a collection.
pub async fn get_collection_by_id(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let collection = state
        .read(caller, move |reader| Ok(reader.collection(id)?.authorize(Action::ViewCollection)?))
        .await?;
    respond::ok(&request, &present::collection(&state.urls, &collection, collection.role()))
}
