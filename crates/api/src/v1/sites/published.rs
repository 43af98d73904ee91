//! `GET /v1/orgs/{organizationId}/sites/{siteId}/published`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::sites::VisitorQuery;

use super::{SitePath, Visit, parts, visit_as};
use crate::error::ApiResult;
use crate::extract::{Path, Query, Visiting};
use crate::present::SiteView;
use crate::respond;
use crate::state::State;

/// Returns the published content that the visitor may see.
pub async fn get_published_content_site(
    Visiting(caller): Visiting,
    Path(path): Path<SitePath>,
    Query(query): Query<VisitorQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let visitor = Visit::new(query)?;
    let urls = state.urls.clone();
    let published = state
        .read(caller.credentials(), move |reader| {
            let (visited, who) = visit_as(reader, &caller, path, &visitor)?;
            let parts = parts(reader, (&visited).into())?;
            let overrides = reader.site_space_customizations((&visited).into())?;
            let site = visited.site();
            let view = SiteView::new(&urls, site)
                .visited_by(&who)
                .seen_by(visited.role())
                .shared_with(visitor.key_as(&caller, site));
            view.published_site(&parts, &overrides)
        })
        .await?;
    respond::ok(&request, &published)
}
