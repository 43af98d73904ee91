//! `POST /v1/spaces/{spaceId}/restore`

use actix_web::HttpResponse;
use quire_domain::ids::SpaceId;
use quire_domain::spaces::Event;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Restores a deleted space to its position, or to the end of the root if its collection no longer exists.
pub async fn restore_space(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    state: State,
) -> ApiResult<HttpResponse> {
    let restored = state
        .transact(caller, move |tx| {
            let space = tx.with_locked_tree(None, |tx| {
                tx.space(id)?.authorize_even_deleted(Event::Restore.required_action())
            })?;
            Ok(tx.restore_space(space)?)
        })
        .await?;
    respond::changed(&present::space(&state.urls, &restored.space, restored.role))
}
