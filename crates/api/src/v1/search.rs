//! Search of content.

use quire_content::visible::visible_sections;
use quire_domain::search::{SearchHit, SearchQuery, SpaceSearchHit, TitleList, TitleQuery};
use quire_server::{when_indexed, with_progress};
use quire_storage::content::search::{SearchKey, Searched, SpaceSearchKey};
use quire_storage::content::store::ContentHead;

use crate::prelude::*;
use crate::visitors::{Readable, readable_head};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Search.at("/v1/spaces/{spaceId}/search", None),
            Needs(Action::ViewSpace),
            "Search a space's content",
            search_space_content,
        )
        .query::<SearchQuery>()
        .query::<PageQuery>()
        .lists::<SearchHit>()
        .for_visitors(),
        Route::get(
            Tag::Search.at("/v1/orgs/{organizationId}/search", None),
            Needs(Action::ViewOrganization),
            "Search an organization's content",
            search_organization_content,
        )
        .query::<SearchQuery>()
        .query::<PageQuery>()
        .lists::<SpaceSearchHit>(),
        Route::get(
            Tag::Search.at("/v1/orgs/{organizationId}/titles", None),
            Needs(Action::ViewOrganization),
            "Search the titles of an organization's pages",
            search_titles,
        )
        .query::<TitleQuery>()
        .answers::<TitleList>(200),
    ]
}

async fn search_space_content(
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

async fn search_organization_content(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(SearchQuery { query }): Query<SearchQuery>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let query = query.into_text()?;
    let list = Listing::<SpaceSearchKey>::new(format!("search of {organization} for {query}"), &page)?;
    let (after, limit) = list.position();
    let (written, progress) = when_indexed(|| async {
        let (query, list, urls) = (query.clone(), list.clone(), state.urls.clone());
        let search = move |reader: &mut Reader<'_>| {
            let organization = reader.organization(organization)?.authorize(Action::ViewOrganization)?;
            let Searched { found, progress } =
                reader.search_organization(&organization, &query, after, limit)?;
            let written =
                list.write(found, |hit| hit.key, |hit| Ok(present::space_search_hit(&urls, hit)))?;
            Ok((written, progress))
        };
        state.search(caller, search).await
    })
    .await?;
    with_progress(written.respond(&request)?, progress)
}

/// Maximum number of pages in a response.
const MOST: u16 = 20;

async fn search_titles(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(TitleQuery { query }): Query<TitleQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let query = query.into_text()?;
    let Searched { found, progress } = when_indexed(|| async {
        let query = query.clone();
        let search = move |reader: &mut Reader<'_>| {
            let organization = reader.organization(organization)?.authorize(Action::ViewOrganization)?;
            Ok(reader.titles_in_organization(&organization, &query, MOST)?)
        };
        state.search(caller, search).await
    })
    .await?;
    let items = found.into_iter().map(|found| present::title_hit(&state.urls, found)).collect();
    with_progress(respond::ok(&request, &TitleList { items })?, progress)
}
