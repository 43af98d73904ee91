//! `POST /v1/collections/{collectionId}/move`

use actix_web::HttpResponse;
use quire_domain::hierarchy::ContentMove;
use quire_domain::ids::CollectionId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::v1::hierarchy::Destination;
use crate::{present, respond};

/// Moves a collection with its content to another collection or the root, or among its siblings.
pub async fn move_collection(
    Caller(caller): Caller,
    Path(id): Path<CollectionId>,
    Json(ContentMove { parent, position }): Json<ContentMove>,
    state: State,
) -> ApiResult<HttpResponse> {
    let moved = state
        .transact(caller, move |tx| {
            let collection =
                tx.with_locked_tree(None, |tx| tx.collection(id)?.authorize(Action::AdministerCollection))?;
            let destination = Destination::of_move(tx, collection.organization, parent, collection.parent)?;
            let neighbors = destination.neighbors(tx, position, *id.as_uuid())?;
            Ok(tx.move_collection(&collection, destination.as_parent(), &neighbors)?)
        })
        .await?;
    respond::changed(&present::collection(&state.urls, &moved.collection, moved.role))
}
