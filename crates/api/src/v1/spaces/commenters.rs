//! `GET /v1/spaces/{spaceId}/commenters`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{SpaceId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the current members who commented in a space or one of its change requests.
pub async fn list_commenters_in_space(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<UserId>::new(format!("commenters of {space}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewSpace)?;
            Ok(reader.commenters_of(&space, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |member| member.id, |member| Ok(present::member(&state.urls, &member)))
}
