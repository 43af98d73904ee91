//! `PATCH /v1/spaces/{spaceId}/change-requests/{changeRequestId}`

use actix_web::HttpResponse;
use quire_domain::change_requests::ChangeRequestUpdate;
use quire_domain::ids::SpaceId;
use quire_storage::lookup::ChangeRequestKey;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates the subject and status of a change request.
pub async fn update_change_request_by_id(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    OptionalJson(update): OptionalJson<ChangeRequestUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let actions = update.required_actions();
    let urls = state.urls.clone();
    let (changed, check) = state
        .transact(caller, move |tx| {
            let found = tx.change_request(space, key)?.authorize_all(&actions)?;
            let locked = tx.lock_change_request(found)?;
            if_match.check_with(|| {
                let check = tx.merge_check(&locked)?;
                Ok(present::change_request_for(&urls, &locked, check))
            })?;
            let changed = tx.update_change_request(locked, update)?;
            let check = tx.merge_check(&changed)?;
            Ok((changed, check))
        })
        .await?;
    respond::changed(&present::change_request_for(&state.urls, &changed, check))
}
