//! `PATCH /v1/spaces/{spaceId}`

use actix_web::HttpResponse;
use quire_domain::ids::SpaceId;
use quire_domain::patch::Patch;
use quire_domain::policy::Action;
use quire_domain::spaces::SpaceUpdate;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates the title, emoji, icon, edit mode and default level of a space.
pub async fn update_space_by_id(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    OptionalJson(body): OptionalJson<SpaceUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    if matches!((&body.emoji, &body.icon), (Patch::Set(_), Patch::Set(_))) {
        return Err(ApiError::invalid_field("icon", "must not be set together with `emoji`"));
    }
    let urls = state.urls.clone();
    let space = state
        .transact(caller, move |tx| {
            let space = tx.space(id)?.authorize(Action::AdministerSpace)?;
            let space = tx.lock_space(space)?;
            if_match.check(&present::space(&urls, &space, space.role()))?;
            Ok(tx.update_space(space, body)?)
        })
        .await?;
    respond::changed(&present::space(&state.urls, &space, space.role()))
}
