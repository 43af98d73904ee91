//! `DELETE /v1/spaces/{spaceId}/imports/{importId}`

use actix_web::HttpResponse;
use quire_domain::ids::{ImportId, SpaceId};
use quire_domain::policy::Action;
use quire_storage::files::StoredUpload;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Cancels an import. Nothing of it is stored.
pub async fn cancel_import(
    Caller(caller): Caller,
    Path((space, import)): Path<(SpaceId, ImportId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let space = tx.space(space)?.authorize(Action::EditContent)?;
            Ok(tx.cancel_import(&space, import)?)
        })
        .await?;
    if let Err(error) = state.storage.files().remove_upload(StoredUpload { space, import }).await {
        // The import is cancelled anyway, and the sweep tries again.
        log::warn!("the upload of import {import} was not removed: {error}");
    }
    Ok(respond::no_content())
}
