//! Published content for its visitors.

use quire_domain::sites::{PublishedUrl, PublishedUrlLookup, SiteSearch, SiteSearchHit};

use crate::route::Access::{Public, SignedIn};
use crate::route::{Route, Tag};
use crate::v1::{sites, urls};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(
            Tag::Sites.at("/v1/urls/published", None),
            "resolvePublishedContentByUrl",
            Public,
            "Find published content by its URL",
            urls::published::resolve_published_content_by_url,
        )
        .body::<PublishedUrlLookup>()
        .answers::<PublishedUrl>(200)
        .unaudited("it only reads"),
        Route::post(
            Tag::Search.at("/v1/orgs/{organizationId}/sites/{siteId}/search", None),
            "searchSiteContent",
            SignedIn,
            "Search a site's content",
            sites::search::search_site_content,
        )
        .body::<SiteSearch>()
        .lists::<SiteSearchHit>()
        .unaudited("it only reads")
        .for_visitors(),
    ]
}
