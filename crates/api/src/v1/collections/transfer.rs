//! `POST /v1/collections/{collectionId}/transfer`

use actix_web::HttpResponse;
use quire_domain::hierarchy::ContentTransfer;
use quire_domain::ids::CollectionId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::v1::hierarchy::recipient;
use crate::{present, respond};

/// Transfers a collection with its content to another organization. All grants are removed.
pub async fn transfer_collection(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    Json(ContentTransfer { organization }): Json<ContentTransfer>,
    state: State,
) -> ApiResult<HttpResponse> {
    let transferred = state
        .transact(caller, move |tx| {
            let collection = tx.collection(id)?.authorize(Action::AdministerCollection)?;
            let recipient = recipient(tx, collection.organization, organization)?;
            let collection = tx.with_locked_tree(Some(organization), |tx| {
                tx.collection(id)?.authorize(Action::AdministerCollection)
            })?;
            Ok(tx.transfer_collection(&collection, &recipient)?)
        })
        .await?;
    respond::changed(&present::collection(&state.urls, &transferred.collection, transferred.role))
}
