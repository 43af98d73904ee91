//! `GET …/files/{fileId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::FileId;
use quire_revision::Tree;
use serde::Deserialize;

use super::answer::{Asked, answer};
use super::path::ContentPath;
use super::query::ContentQuery;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Path, Query, Reading};

/// Path parameters: the file of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    file_id: FileId,
}

/// Returns a file.
pub async fn get_file(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(Item { file_id }): Path<Item>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let asked = Asked { caller, path, git: query.metadata, computed: false };
    let find = move |tree: &Tree| tree.file(file_id).cloned();
    answer(asked, &request, &api, find, |source, file| Ok(source.view.file(&file))).await
}
