//! `GET` and `PUT /v1/spaces/{spaceId}/change-requests/{changeRequestId}/viewed`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::change_requests::ViewedPages;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_storage::lookup::{ChangeRequestKey, ContentSelector};

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;

/// Returns the pages of a change request that the caller has marked as viewed and that are as they were then.
pub async fn get_viewed_pages(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let viewed = state
        .read(caller, move |reader| {
            let (content, tree) = reader.content_with_tree(space, ContentSelector::ChangeRequest(key))?;
            Ok(reader.viewed_pages(&content, &tree)?)
        })
        .await?;
    respond::ok(&request, &viewed)
}

/// Replaces the marks of the caller. Those of documents that a page does not have are left out.
pub async fn set_viewed_pages(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Json(body): Json<ViewedPages>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let viewed = state
        .transact(caller, move |tx| {
            let content =
                tx.content(space, ContentSelector::ChangeRequest(key))?.authorize(Action::CommentOnSpace)?;
            let tree = tx.tree(&content)?;
            if_match.check_with(|| Ok(tx.viewed_pages(&content, &tree)?))?;
            Ok(tx.put_viewed_pages(&content, &tree, body)?)
        })
        .await?;
    respond::changed(&viewed)
}
