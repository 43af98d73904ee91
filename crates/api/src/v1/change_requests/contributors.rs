//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/contributors`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{SpaceId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::lookup::ChangeRequestKey;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the creator and the editors of the change request.
pub async fn list_change_request_contributors(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<UserId>::new(format!("contributors of {space} {key:?}"), &page)?;
    let (before, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            Ok(reader.contributors(&found, before, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |record| record.user.id(),
        |record| Ok::<_, ApiError>(present::contributor(&state.urls, &record)),
    )
}
