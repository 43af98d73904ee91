//! `GET …/files/{fileId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::FileId;
use serde::Deserialize;

use super::path::ContentPath;
use super::query::ContentQuery;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::respond;
use crate::state::State;

/// Which file of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    file_id: FileId,
}

/// A file.
pub async fn get_file(
    Caller(caller): Caller,
    Path(place): Path<ContentPath>,
    Path(Item { file_id }): Path<Item>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (content, tree) = state
        .read(caller, move |reader| Ok(reader.content_with_tree(place.space(), place.selector())?))
        .await?;
    let file = tree.file(file_id).ok_or_else(ApiError::not_found)?;
    let view = place.view(&state, &content, &tree).with_git(query.metadata);
    respond::ok_of_revision(&request, content.revision.id, || Ok(view.file(file)))
}
