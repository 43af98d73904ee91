//! `POST /v1/spaces/{spaceId}/move`

use actix_web::HttpResponse;
use quire_domain::hierarchy::ContentMove;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::v1::hierarchy::Destination;
use crate::{present, respond};

/// Moves a space to another collection or the root, or among its siblings.
pub async fn move_space(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    Json(ContentMove { parent, position }): Json<ContentMove>,
    state: State,
) -> ApiResult<HttpResponse> {
    let moved = state
        .transact(caller, move |tx| {
            let space = tx.with_locked_tree(None, |tx| tx.space(id)?.authorize(Action::AdministerSpace))?;
            let destination = Destination::of_move(tx, space.organization, parent, space.parent)?;
            let neighbors = destination.neighbors(tx, position, *id.as_uuid())?;
            Ok(tx.move_space(&space, destination.as_parent(), &neighbors)?)
        })
        .await?;
    respond::changed(&present::space(&state.urls, &moved.space, moved.role))
}
