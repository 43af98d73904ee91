//! `DELETE /v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}`

use actix_web::HttpResponse;
use quire_domain::ids::{SpaceId, UserId};
use quire_domain::policy::Action;
use quire_storage::lookup::ChangeRequestKey;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Withdraws the review request to the user or team with this id.
pub async fn remove_requested_reviewer_in_change_request(
    Caller(caller): Caller,
    Path((space, key, reviewer)): Path<(SpaceId, ChangeRequestKey, UserId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let found = tx.change_request(space, key)?.authorize(Action::EditContent)?;
            Ok(tx.remove_reviewer(&found, reviewer)?)
        })
        .await?;
    Ok(respond::no_content())
}
