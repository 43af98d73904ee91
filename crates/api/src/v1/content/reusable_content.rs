//! `GET …/reusable-contents/{reusableContentId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::ReusableContentId;
use serde::Deserialize;

use super::path::ContentPath;
use super::query::ContentQuery;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::respond;
use crate::state::State;

/// Which reusable content of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    reusable_content_id: ReusableContentId,
}

/// A reusable content.
pub async fn get_reusable_content(
    Caller(caller): Caller,
    Path(place): Path<ContentPath>,
    Path(Item { reusable_content_id }): Path<Item>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (content, tree) = state
        .read(caller, move |reader| Ok(reader.content_with_tree(place.space(), place.selector())?))
        .await?;
    let found = tree.reusable_content(reusable_content_id).ok_or_else(ApiError::not_found)?;
    let view = place.view(&state, &content, &tree).with_git(query.metadata);
    respond::ok_of_revision(&request, content.revision.id, || Ok(view.reusable_content(found)))
}
