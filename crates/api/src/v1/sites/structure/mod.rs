//! Structure of sites: sections, section groups and site spaces.

mod change;
pub mod groups;
mod pages;
pub mod sections;
pub mod site_spaces;

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::sites::{SiteStructure, VisitorQuery};

use crate::error::ApiResult;
use crate::extract::{Path, Query, Visiting};
use crate::present::SiteView;
use crate::respond;
use crate::route::Access::SignedIn;
use crate::route::{Resource, Route, Tag};
use crate::state::State;
use crate::v1::sites::{SitePath, Visit, parts, visit_as};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const STRUCTURE: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/structure", None);
    vec![
        Route::get(STRUCTURE, SignedIn, "Get a site's structure", get_site_structure)
            .query::<VisitorQuery>()
            .answers::<SiteStructure>(200)
            .for_visitors(),
    ]
}

async fn get_site_structure(
    Visiting(caller): Visiting,
    Path(path): Path<SitePath>,
    Query(query): Query<VisitorQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let visitor = Visit::new(query)?;
    let urls = state.urls.clone();
    let structure = state
        .read(caller.credentials(), move |reader| {
            let (visited, who) = visit_as(reader, &caller, path, &visitor)?;
            let parts = parts(reader, (&visited).into())?;
            let site = visited.site();
            let view = SiteView::new(&urls, site).visited_by(&who).shared_with(visitor.key_as(&caller, site));
            Ok(view.structure(&parts))
        })
        .await?;
    respond::ok(&request, &structure)
}
