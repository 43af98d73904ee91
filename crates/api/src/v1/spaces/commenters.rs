//! `GET /v1/spaces/{spaceId}/commenters`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{SpaceId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The members who posted a comment or reply in a space or one of its change requests; who left isn't one any more.
pub async fn handle(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("commenters of {space}");
    let after: Option<UserId> = present::cursor(&list, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewSpace)?;
            Ok(reader.commenters_of(&space, after, limit)?)
        })
        .await?;
    let list =
        present::list(&list, slice, |member| member.id, |member| Ok(present::member(&state.urls, &member)))?;
    respond::ok(&request, &list)
}
