//! `GET …/pages`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::revisions::PageList;

use super::path::ContentPath;
use super::query::ContentQuery;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::respond;

/// All pages, as the tree they are in.
pub async fn list_pages(
    Caller(caller): Caller,
    Path(place): Path<ContentPath>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let expansions = api.expansions_if(query.computed);
    let (content, tree, computed) =
        state.read(caller, move |reader| place.expanded(reader, expansions.as_ref())).await?;
    let view = place.view(state, &content, &tree).with_git(query.metadata).with_computed(&computed);
    respond::ok_of_content(&request, content.revision.id, &computed.versions(), || {
        Ok(PageList { pages: view.pages() })
    })
}
