//! `POST /v1/spaces/{spaceId}/transfer`

use actix_web::HttpResponse;
use quire_domain::hierarchy::ContentTransfer;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::v1::hierarchy::recipient;
use crate::{present, respond};

/// Transfers a space to another organization with its content and default level. Grants are removed, and the space
/// moves to the root.
pub async fn transfer_space(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    Json(ContentTransfer { organization }): Json<ContentTransfer>,
    state: State,
) -> ApiResult<HttpResponse> {
    let transferred = state
        .transact(caller, move |tx| {
            let space = tx.space(id)?.authorize(Action::AdministerSpace)?;
            let recipient = recipient(tx, space.organization, organization)?;
            let space = tx.with_locked_tree(Some(organization), |tx| {
                tx.space(id)?.authorize(Action::AdministerSpace)
            })?;
            Ok(tx.transfer_space(&space, &recipient)?)
        })
        .await?;
    respond::changed(&present::space(&state.urls, &transferred.space, transferred.role))
}
