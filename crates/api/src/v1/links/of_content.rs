//! `GET /v1/spaces/{spaceId}/links`, `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/links`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::links::{BrokenContextQuery, LinkQuery};
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query, Reading};
use crate::respond;
use crate::state::State;
use crate::v1::content::path::ContentPath;

/// Lists the links of a space's current content. Visitors of a site get those of the parts that they see.
pub async fn list_space_links(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Query(page): Query<PageQuery>,
    Query(query): Query<LinkQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let context = BrokenContextQuery::default();
    respond::ok(&request, &super::links(caller, path, None, query, context, &page, &state).await?)
}

/// Lists the links of a change request's content.
pub async fn list_change_request_links(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Query(page): Query<PageQuery>,
    Query(query): Query<LinkQuery>,
    Query(context): Query<BrokenContextQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let caller = Reading::User(caller);
    respond::ok(&request, &super::links(caller, path, None, query, context, &page, &state).await?)
}
