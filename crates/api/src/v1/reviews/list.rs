//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::comments::FormatQuery;
use quire_domain::ids::{ReviewId, SpaceId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::reviews::ReviewQuery;
use quire_storage::lookup::ChangeRequestKey;
use quire_storage::reviews::ReviewFilter;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::present::Viewer;
use crate::state::State;

/// Lists the reviews of a change request, newest first.
pub async fn list_change_request_reviews(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(page): Query<PageQuery>,
    Query(ReviewQuery { outdated }): Query<ReviewQuery>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<ReviewId>::new(format!("reviews of {space} {key:?} {outdated:?}"), &page)?;
    let (before, limit) = list.position();
    let (found, slice) = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            let slice = reader.reviews(&found, ReviewFilter { outdated, format }, before, limit)?;
            Ok((found, slice))
        })
        .await?;
    let viewer = Viewer::of(&found);
    list.respond(
        &request,
        slice,
        |shown| shown.review.id,
        |shown| Ok(present::review(&state.urls, &found.item, shown, viewer)),
    )
}
