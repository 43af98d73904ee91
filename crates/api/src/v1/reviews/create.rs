//! `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews`

use actix_web::HttpResponse;
use quire_domain::change_requests::Event;
use quire_domain::comments::FormatQuery;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_domain::reviews::ReviewCreate;
use quire_storage::lookup::{ChangeRequestKey, ContentSelector};

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path, Query};
use crate::present::Viewer;
use crate::state::State;
use crate::v1::comments::body::ReadBody;
use crate::{present, respond};

/// Submits a review of the change request's current revision. The text is posted as a comment.
pub async fn submit_change_request_review(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    Json(ReviewCreate { status, comment }): Json<ReviewCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let comment = match comment {
        Some(body) => Some(ReadBody::read(&state, "comment", body).await?),
        None => None,
    };
    let (found, shown) = state
        .transact(caller, move |tx| {
            let content = tx
                .content(space, ContentSelector::ChangeRequest(key))?
                .authorize(Event::Review.required_action())?;
            let comment = comment.map(ReadBody::checked).transpose()?;
            let id = tx.submit_review(&content, status, comment)?;
            let found = tx.change_request(space, key)?.authorize(Action::ViewSpace)?;
            let shown = tx.review(&found, id, format)?;
            Ok((found, shown))
        })
        .await?;
    let review = present::review(&state.urls, &found.item, shown, Viewer::of(&found));
    respond::created(&review.urls.location, &review)
}
