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
use crate::present::Viewer;
use crate::state::State;
use crate::{present, respond};

/// The reviews of a change request, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(page): Query<PageQuery>,
    Query(ReviewQuery { outdated }): Query<ReviewQuery>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("reviews of {space} {key:?} {outdated:?}");
    let before: Option<ReviewId> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let (found, slice) = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            let slice = reader.reviews(&found, ReviewFilter { outdated, format }, before, limit)?;
            Ok((found, slice))
        })
        .await?;
    let viewer = Viewer::of(&found);
    let list = present::list(
        &list,
        slice,
        |shown| shown.review.id,
        |shown| Ok(present::review(&state.urls, &found.item, shown, viewer)),
    )?;
    respond::ok(&request, &list)
}
