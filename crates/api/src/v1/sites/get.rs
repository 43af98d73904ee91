//! `GET /v1/orgs/{organizationId}/sites/{siteId}`

use actix_web::{HttpRequest, HttpResponse};

use super::{SitePath, read};
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::present::SiteView;
use crate::respond;
use crate::state::State;

/// Returns a site.
pub async fn get_site_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let site = state.read(caller, move |reader| read(reader, path)).await?;
    respond::ok(&request, &SiteView::new(&state.urls, &site).seen_by(site.role()).site())
}
