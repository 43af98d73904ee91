//! `GET /v1/spaces/{spaceId}/search`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SpaceId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::search::SearchQuery;
use quire_server::when_indexed;
use quire_storage::Reader;
use quire_storage::lookup::ContentKey;
use quire_storage::search::SearchKey;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the matching pages of a space's current content, best match first.
pub async fn search_space_content(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(SearchQuery { query }): Query<SearchQuery>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let query = query.into_text()?;
    let list = Listing::<SearchKey>::new(format!("search of {space} for {query}"), &page)?;
    let (after, limit) = list.position();
    let written = when_indexed(|| async {
        let (query, list, urls) = (query.clone(), list.clone(), state.urls.clone());
        let key = ContentKey { credentials: caller, space, revision: None };
        let content = state.content_head(key).await?.authorize(Action::ViewSpace)?;
        let search = move |reader: &mut Reader<'_>| {
            let slice = reader.search(&content, &query, after, limit)?;
            list.write(slice, |hit| hit.key, |hit| Ok(present::search_hit(&urls, space, hit)))
        };
        state.search(caller, search).await
    })
    .await?;
    written.respond(&request)
}
