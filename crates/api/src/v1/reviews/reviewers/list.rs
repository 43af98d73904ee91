//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::Timestamp;
use quire_domain::ids::{SpaceId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::lookup::ChangeRequestKey;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// Lists the requested users and teams, newest requests first.
pub async fn list_requested_reviewers_in_change_request(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("requested reviewers of {space} {key:?}");
    let before: Option<(Timestamp, UserId)> = present::cursor(&list, page.page.as_deref())?;
    let before = before.map(|(at, id)| (at, *id.as_uuid()));
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            Ok(reader.requested_reviewers(&found, before, limit)?)
        })
        .await?;
    let key = |record: &quire_storage::reviews::ReviewerRecord| {
        let (at, id) = record.key();
        (at, UserId::from_uuid(id))
    };
    let list =
        present::list(&list, slice, key, |record| Ok(present::requested_reviewer(&state.urls, &record)))?;
    respond::ok(&request, &list)
}
