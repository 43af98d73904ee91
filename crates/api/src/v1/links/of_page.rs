//! `GET …/content/page/{pageId}/links`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::PageId;
use quire_domain::links::{BrokenContextQuery, LinkQuery};
use quire_domain::list::PageQuery;
use serde::Deserialize;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query, Reading};
use crate::respond;
use crate::state::State;
use crate::v1::content::path::ContentPath;

/// Path parameters: the page of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    page_id: PageId,
}

/// Lists the links of a page in document order. Visitors of a site get those of the parts that they see.
pub async fn list_page_links(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(Item { page_id }): Path<Item>,
    Query(page): Query<PageQuery>,
    Query(query): Query<LinkQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let context = BrokenContextQuery::default();
    respond::ok(&request, &super::links(caller, path, Some(page_id), query, context, &page, &state).await?)
}

/// Lists the links of a change request's page in document order.
pub async fn list_change_request_page_links(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(Item { page_id }): Path<Item>,
    Query(page): Query<PageQuery>,
    Query(query): Query<LinkQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (caller, context) = (Reading::User(caller), BrokenContextQuery::default());
    respond::ok(&request, &super::links(caller, path, Some(page_id), query, context, &page, &state).await?)
}
