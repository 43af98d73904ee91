//! `GET /v1/spaces/{spaceId}/search`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SpaceId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::search::SearchQuery;
use quire_storage::lookup::ContentSelector;
use quire_storage::search::SearchKey;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The pages of a space's current main content that answer a query, best first.
pub async fn handle(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(SearchQuery { query }): Query<SearchQuery>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("search of {space} for {query}");
    let after: Option<SearchKey> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            Ok(reader.search(&content, &query, after, limit)?)
        })
        .await?;
    let list =
        present::list(&list, slice, |hit| hit.key, |hit| Ok(present::search_hit(&state.urls, space, hit)))?;
    respond::ok(&request, &list)
}
