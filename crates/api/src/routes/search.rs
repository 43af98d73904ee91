//! Search.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::search::{SearchHit, SearchQuery, SpaceSearchHit, TitleList, TitleQuery};

use crate::route::Access::Needs;
use crate::route::{Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Search.at("/v1/spaces/{spaceId}/search", None),
            "searchSpaceContent",
            Needs(Action::ViewSpace),
            "Search a space's content",
            v1::spaces::search::search_space_content,
        )
        .query::<SearchQuery>()
        .query::<PageQuery>()
        .lists::<SearchHit>()
        .for_visitors(),
        Route::get(
            Tag::Search.at("/v1/orgs/{organizationId}/search", None),
            "searchOrganizationContent",
            Needs(Action::ViewOrganization),
            "Search an organization's content",
            v1::organizations::search::search_organization_content,
        )
        .query::<SearchQuery>()
        .query::<PageQuery>()
        .lists::<SpaceSearchHit>(),
        Route::get(
            Tag::Search.at("/v1/orgs/{organizationId}/titles", None),
            "searchTitles",
            Needs(Action::ViewOrganization),
            "Search the titles of an organization's pages",
            v1::organizations::titles::search_titles,
        )
        .query::<TitleQuery>()
        .answers::<TitleList>(200),
    ]
}
