//! `GET /v1/spaces/{spaceId}/change-requests`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::change_requests::{ChangeRequestQuery, ChangedPageQuery};
use quire_domain::ids::SpaceId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::change_requests::{ChangeRequestFilter, ChangeRequestPosition};

use super::filter::filter;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// Lists the change requests of a space with one status, newest first by default.
pub async fn list_change_requests_for_space(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<ChangeRequestQuery>,
    Query(ChangedPageQuery { changed_page }): Query<ChangedPageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (filter, list) = filter("space", query, Some(space));
    let filter = ChangeRequestFilter { changed_page, ..filter };
    let list = format!("{list} of {changed_page:?}");
    let after: Option<ChangeRequestPosition> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let (head, slice) = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewSpace)?;
            Ok((space.head, reader.change_requests_of(&space, filter, after, limit)?))
        })
        .await?;
    let list = present::list(&list, slice, ChangeRequestPosition::of, |record| {
        Ok(present::change_request(&state.urls, &record, head))
    })?;
    respond::ok(&request, &list)
}
