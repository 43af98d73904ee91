//! `PATCH /v1/spaces/{spaceId}`

use actix_web::HttpResponse;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_domain::spaces::SpaceUpdate;
use quire_storage::spaces::SpaceChanges;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Changes a space's title, emoji, edit mode and default level.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    OptionalJson(body): OptionalJson<SpaceUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let SpaceUpdate { edit_mode, title, default_level, emoji } = body;
    let changes = SpaceChanges { title, emoji, edit_mode, default_level };
    let urls = state.urls.clone();
    let space = state
        .transact(caller, move |tx| {
            let space = tx.space(id)?.authorize(Action::AdministerSpace)?;
            let space = tx.lock_space(space)?;
            if_match.check(&present::space(&urls, &space, space.role()))?;
            Ok(tx.update_space(space, changes)?)
        })
        .await?;
    respond::changed(&present::space(&state.urls, &space, space.role()))
}
