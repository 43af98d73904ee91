//! `GET …/pages`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::revisions::PageList;

use super::answer::{Asked, answer};
use super::path::ContentPath;
use super::query::ContentQuery;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Path, Query, Reading};

/// Returns all pages as a tree.
pub async fn list_pages(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let ContentQuery { metadata: git, computed } = query;
    let asked = Asked { caller, path, git, computed };
    answer(asked, &request, &api, |_| Some(()), |source, ()| Ok(PageList { pages: source.view.pages() }))
        .await
}
