//! `GET /v1/orgs/{organizationId}/sites/{siteId}/structure`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::sites::VisitorQuery;

use crate::error::ApiResult;
use crate::extract::{Path, Query, Visiting};
use crate::present::SiteView;
use crate::respond;
use crate::state::State;
use crate::v1::sites::{SitePath, Visit, parts, visit_as};

/// Returns the structure that the visitor may see.
pub async fn get_site_structure(
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
