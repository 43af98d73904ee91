//! Published content for its visitors.

use quire_domain::content_urls::{ContentUrlQuery, UrlContent};
use quire_domain::embeds::{Embed, EmbedQuery};
use quire_domain::policy::Action;
use quire_domain::sites::{
    PublishedUrl, PublishedUrlLookup, PublishedUrlQuery, SiteEvents, SiteSearch, SiteSearchHit,
};

use crate::route::Access::{Needs, Public, SignedIn};
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
        .finds_by_input()
        .unaudited("it only reads"),
        Route::get(
            Tag::Sites.at("/v1/urls/published", None),
            "getPublishedContentByUrl",
            Public,
            "Find published content by a URL query",
            urls::published::get_published_content_by_url,
        )
        .query::<PublishedUrlQuery>()
        .answers::<PublishedUrl>(200)
        .finds_by_input(),
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
        Route::post(
            Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/insights/events", None),
            "trackEventsInSiteById",
            Public,
            "Report events of visits",
            sites::insights::track_events_in_site_by_id,
        )
        .body::<SiteEvents>()
        .answers_nothing()
        .unaudited("it changes nothing"),
        Route::get(
            Tag::Content.at("/v1/urls/content", None),
            "getContentByUrl",
            Needs(Action::ViewSpace),
            "Find content by its URL",
            urls::content::get_content_by_url,
        )
        .query::<ContentUrlQuery>()
        .answers::<UrlContent>(200),
        Route::get(
            Tag::Sites.at("/v1/urls/embed", None),
            "getEmbedByUrl",
            SignedIn,
            "Preview a URL",
            urls::embed::get_embed_by_url,
        )
        .query::<EmbedQuery>()
        .answers::<Embed>(200)
        .for_visitors(),
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/embed", None),
            "getEmbedByUrlInSpace",
            Needs(Action::ViewSpace),
            "Preview a URL in a space",
            urls::embed::get_embed_by_url_in_space,
        )
        .query::<EmbedQuery>()
        .answers::<Embed>(200)
        .for_visitors(),
    ]
}
