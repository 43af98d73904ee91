//! Search of published sites, and visit events.

use std::collections::HashSet;

use quire_content::visible::visible_sections;
use quire_domain::search::SearchHit;
use quire_domain::sites::{
    SiteSearch, SiteSearchHit, SiteSearchMode, SiteSearchRestriction, SiteSearchResult, SiteSearchScope,
    SiteSearchScopeMode,
};
use quire_server::{when_indexed, with_progress};
use quire_storage::content::search::{SearchProgress, Searched};
use quire_storage::content::store::ContentPoint as _;
use quire_storage::sites::published::{PublishedContent, PublishedSite, PublishedSpace};

use super::SitePath;
use crate::prelude::*;
use crate::visitors::{Claims, readable_site};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post(
            Tag::Search.at("/v1/orgs/{organizationId}/sites/{siteId}/search", None),
            SignedIn,
            "Search a site's content",
            search_site_content,
        )
        .body::<SiteSearch>()
        .lists::<SiteSearchHit>()
        .unaudited("it only reads")
        .for_visitors(),
    ]
}

/// Maximum number of pages in a response.
const MOST: u16 = 50;

async fn search_site_content(
    caller: Reading,
    Path(path): Path<SitePath>,
    Json(body): Json<SiteSearch>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let scope = Scope::of(&body)?;
    let query = body.query.into_text()?;
    let (found, progress) = when_indexed(|| async {
        let (caller, scope, query, urls) = (caller.clone(), scope.clone(), query.clone(), state.urls.clone());
        let credentials = caller.credentials();
        let search = move |reader: &mut Reader<'_>| {
            let (site, claims) = readable_site(reader, &caller, path)?;
            Search { site: &site, claims: &claims, urls: &urls }.find(reader, &scope, &query)
        };
        state.search(credentials, search).await
    })
    .await?;
    with_progress(respond::ok(&request, &found)?, progress)
}

/// Site spaces of a search.
#[derive(Clone, Debug)]
enum Scope {
    /// The default site space of each section, the current one, and those in its language.
    Default(Option<SiteSpaceId>),
    /// The default scope, except for one site space.
    DefaultBut(SiteSpaceId),
    These(HashSet<SiteSpaceId>),
    All,
}

impl Scope {
    fn of(body: &SiteSearch) -> ApiResult<Self> {
        let ids = |ids: &[SiteSpaceId]| Self::These(ids.iter().copied().collect());
        match (&body.scope, body.mode) {
            (Some(scope), None) => Self::of_scope(scope),
            (None, Some(SiteSearchMode::All)) => Ok(Self::All),
            (None, Some(SiteSearchMode::Specific)) => Ok(ids(&body.site_space_ids)),
            (None, Some(SiteSearchMode::Current)) => {
                let missing = || ApiError::invalid_field("siteSpaceId", "is required for this mode");
                Ok(ids(&[body.site_space_id.ok_or_else(missing)?]))
            }
            (None, None) => Ok(ids(&body.site_space_ids)).and_then(|scope| match &scope {
                Self::These(ids) if ids.is_empty() => {
                    Err(ApiError::invalid_field("scope", "is required unless `mode` is set"))
                }
                _ => Ok(scope),
            }),
            (Some(_), Some(_)) => Err(ApiError::invalid_field("mode", "must be absent if `scope` is set")),
        }
    }

    fn of_scope(scope: &SiteSearchScope) -> ApiResult<Self> {
        match (scope.mode, scope.restrict_to) {
            (SiteSearchScopeMode::All, _) => Ok(Self::All),
            (SiteSearchScopeMode::Specific, _) => {
                Ok(Self::These(scope.site_space_ids.iter().copied().collect()))
            }
            (SiteSearchScopeMode::Default, None) => Ok(Self::Default(scope.current_site_space)),
            (SiteSearchScopeMode::Default, Some(restriction)) => {
                let missing = || {
                    ApiError::invalid_field("scope.currentSiteSpace", "is required if `restrictTo` is set")
                };
                let current = scope.current_site_space.ok_or_else(missing)?;
                Ok(match restriction {
                    SiteSearchRestriction::CurrentSiteSpace => Self::These([current].into()),
                    SiteSearchRestriction::OtherSiteSpaces => Self::DefaultBut(current),
                })
            }
        }
    }

    fn has(&self, site: &PublishedSite, space: &PublishedSpace) -> bool {
        let is_default =
            || site.default_in(site.section_of(space)).is_some_and(|default| default.id == space.id);
        let is_in_language_of = |current: SiteSpaceId| {
            let current = site.spaces.iter().find(|space| space.id == current);
            space.language.is_some() && current.is_some_and(|current| current.language == space.language)
        };
        match self {
            Self::Default(None) => is_default(),
            Self::Default(Some(current)) => {
                is_default() || *current == space.id || is_in_language_of(*current)
            }
            Self::DefaultBut(current) => {
                *current != space.id && (is_default() || is_in_language_of(*current))
            }
            Self::These(ids) => ids.contains(&space.id),
            Self::All => true,
        }
    }
}

/// Context of a search.
struct Search<'a> {
    site: &'a PublishedSite,
    claims: &'a Claims,
    urls: &'a Urls,
}

impl Search<'_> {
    fn find(
        &self,
        reader: &mut Reader<'_>,
        scope: &Scope,
        query: &str,
    ) -> ApiResult<(SiteSearchResult, Option<SearchProgress>)> {
        let mut searched: HashSet<SpaceId> = HashSet::new();
        let spaces = self.site.spaces.iter().filter(|space| scope.has(self.site, space));
        let spaces: Vec<&PublishedSpace> = spaces.filter(|space| searched.insert(space.space)).collect();
        let contents: Vec<_> =
            spaces.iter().map(|space| self.site.content(space)).collect::<Result<_, _>>()?;
        let evaluator = self.claims.evaluator();
        let is_users = |id| spaces.iter().any(|space| space.space == id && space.role.is_some());
        let visible = |reader: &mut Reader<'_>, content: &Authorized<PublishedContent>, id| {
            if is_users(content.space()) {
                return Ok(None);
            }
            Ok(visible_sections(&reader.document(content, id)?, &evaluator))
        };
        let Searched { found: hits, progress } =
            reader.search_site(self.site, &contents, query, MOST, &visible)?;
        let mut items: Vec<SiteSearchHit> = Vec::new();
        for (rank, (id, hit)) in (1..).zip(hits) {
            let Some(space) = spaces.iter().find(|space| space.space == id) else { continue };
            // Visible hits are numbered consecutively, because gaps would reveal pages that the visitor does not see.
            let page = SearchHit { rank, ..present::search_hit(self.urls, id, hit) };
            match items.iter_mut().find(|item| item.id == id) {
                Some(item) => item.pages.push(page),
                None => items.push(present::site_search_hit(space, page)),
            }
        }
        let count = u64::try_from(items.len()).map_err(ApiError::internal)?;
        Ok((SiteSearchResult { next: None, count, items }, progress))
    }
}
