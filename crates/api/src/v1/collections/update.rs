//! `PATCH /v1/collections/{collectionId}`

use actix_web::HttpResponse;
use quire_domain::collections::CollectionUpdate;
use quire_domain::ids::CollectionId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates the title, description and default level of a collection.
pub async fn update_collection_by_id(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    OptionalJson(body): OptionalJson<CollectionUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let collection = state
        .transact(caller, move |tx| {
            let collection = tx.collection(id)?.authorize(Action::AdministerCollection)?;
            let collection = tx.lock_collection(collection)?;
            if_match.check(&present::collection(&urls, &collection, collection.role()))?;
            Ok(tx.update_collection(collection, body)?)
        })
        .await?;
    respond::changed(&present::collection(&state.urls, &collection, collection.role()))
}
