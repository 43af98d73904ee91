//! `GET …/content/page/{pageId}/backlinks`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::PageId;
use quire_domain::list::PageQuery;
use quire_revision::EntryId;
use serde::Deserialize;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::respond;
use crate::state::State;
use crate::v1::content::path::ContentPath;

/// Path parameters: the page of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    page_id: PageId,
}

/// Lists the locations that link to a page, newest pages first.
pub async fn list_page_backlinks(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(Item { page_id }): Path<Item>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    respond::ok(&request, &super::backlinks(caller, path, EntryId::Page(page_id), &query, &state).await?)
}
