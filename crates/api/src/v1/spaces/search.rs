//! `GET /v1/spaces/{spaceId}/search`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::visible::visible_sections;
use quire_domain::ids::SpaceId;
use quire_domain::list::PageQuery;
use quire_domain::search::SearchQuery;
use quire_server::{when_indexed, with_progress};
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, ContentHead, ContentSelector};
use quire_storage::search::{SearchKey, Searched};

use crate::error::ApiResult;
use crate::extract::{Path, Query, Reading};
use crate::listing::Listing;
use crate::present;
use crate::state::State;
use crate::visitors::{Readable, readable_head};

/// Lists the matching pages of a space's current content, best match first. Visitors of a site find what they read of a
/// page, and at most 50 pages.
pub async fn search_space_content(
    caller: Reading,
    Path(space): Path<SpaceId>,
    Query(SearchQuery { query }): Query<SearchQuery>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let query = query.into_text()?;
    let list = Listing::<SearchKey>::new(format!("search of {space} for {query}"), &page)?;
    let (after, limit) = list.position();
    let (written, progress) = when_indexed(|| async {
        let (query, list, urls) = (query.clone(), list.clone(), state.urls.clone());
        let Readable { content, claims } =
            readable_head(&state, &caller, (space, ContentSelector::Space)).await?;
        let search = move |reader: &mut Reader<'_>| {
            let Searched { found, progress } = match &claims {
                None => reader.search(&content, &query, after, limit)?,
                Some(claims) => {
                    let evaluator = claims.evaluator();
                    let visible = |reader: &mut Reader<'_>, content: &Authorized<ContentHead>, id| {
                        Ok(visible_sections(&reader.document(content, id)?, &evaluator))
                    };
                    reader.search_visited(&content, &query, (after, limit), &visible)?
                }
            };
            let written =
                list.write(found, |hit| hit.key, |hit| Ok(present::search_hit(&urls, space, hit)))?;
            Ok((written, progress))
        };
        state.search(caller.credentials(), search).await
    })
    .await?;
    with_progress(written.respond(&request)?, progress)
}
