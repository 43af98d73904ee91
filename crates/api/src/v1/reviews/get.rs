//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews/{reviewId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::comments::FormatQuery;
use quire_domain::ids::{ReviewId, SpaceId};
use quire_domain::policy::Action;
use quire_storage::lookup::ChangeRequestKey;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::present::Viewer;
use crate::state::State;
use crate::{present, respond};

/// Returns a review with its comment.
pub async fn get_change_request_review(
    Caller(caller): Caller,
    Path((space, key, id)): Path<(SpaceId, ChangeRequestKey, ReviewId)>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (found, shown) = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            let shown = reader.review(&found, id, format)?;
            Ok((found, shown))
        })
        .await?;
    respond::ok(&request, &present::review(&state.urls, &found.item, shown, Viewer::of(&found)))
}
