//! `DELETE /v1/collections/{collectionId}`

use actix_web::HttpResponse;
use quire_domain::ids::CollectionId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes an empty collection. Deleted spaces do not count; if restored, they move to the root.
pub async fn delete_collection_by_id(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let collection =
                tx.with_locked_tree(None, |tx| tx.collection(id)?.authorize(Action::AdministerCollection))?;
            Ok(tx.delete_collection(&collection)?)
        })
        .await?;
    Ok(respond::no_content())
}
