//! `GET …/path/{pagePath}`

use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;

use super::path::ContentPath;
use super::query::OnePageQuery;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Path, Query, Reading};

/// Path parameters: slugs joined with `/`, which may be escaped.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    page_path: String,
}

/// Returns the document or group at a path. The empty path is that of the first document; a trailing slash is ignored.
pub async fn get_page_by_path(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(Item { page_path }): Path<Item>,
    Query(query): Query<OnePageQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    super::page::answer(caller, path, query, &request, &api, move |tree| {
        tree.page_by_path(page_path.strip_suffix('/').unwrap_or(&page_path))
    })
    .await
}
