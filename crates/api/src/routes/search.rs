//! Search.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::search::{SearchHit, SearchQuery, SpaceSearchHit};

use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/v1/spaces/{spaceId}/search",
            "searchSpaceContent",
            Needs(Action::ViewSpace),
            "Search a space's content",
            v1::spaces::search::handle,
        )
        .query::<SearchQuery>()
        .query::<PageQuery>()
        .lists::<SearchHit>(),
        Route::get(
            "/v1/orgs/{organizationId}/search",
            "searchOrganizationContent",
            Needs(Action::ViewOrganization),
            "Search the content of an organization",
            v1::organizations::search::handle,
        )
        .query::<SearchQuery>()
        .query::<PageQuery>()
        .lists::<SpaceSearchHit>(),
    ]
}
