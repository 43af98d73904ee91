//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/contributors`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{SpaceId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::lookup::ChangeRequestKey;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// Who made the change request or wrote in it.
pub async fn handle(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("contributors of {space} {key:?}");
    let before: Option<UserId> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            Ok(reader.contributors(&found, before, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |record| record.user.id(),
        |record| Ok::<_, ApiError>(present::contributor(&state.urls, &record)),
    )?;
    respond::ok(&request, &list)
}
