//! `GET /v1/spaces/{spaceId}/change-requests`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::change_requests::ChangeRequestQuery;
use quire_domain::ids::SpaceId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::change_requests::ChangeRequestFilter;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The change requests of a space that stand at one status, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(page): Query<PageQuery>,
    Query(ChangeRequestQuery { status, contributor }): Query<ChangeRequestQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let by = contributor.map(|user| format!(" by {user}")).unwrap_or_default();
    let list = format!("{} change requests of {space}{by}", status.as_str());
    let below: Option<i32> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let (head, slice) = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewSpace)?;
            let filter = ChangeRequestFilter { status, contributor };
            Ok((space.head, reader.change_requests_of(&space, filter, below, limit)?))
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |record| record.number,
        |record| Ok(present::change_request(&state.urls, &record, head)),
    )?;
    respond::ok(&request, &list)
}
