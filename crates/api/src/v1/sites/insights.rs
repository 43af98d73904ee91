//! `POST /v1/orgs/{organizationId}/sites/{siteId}/insights/events`

use actix_web::HttpResponse;
use quire_domain::sites::SiteEvents;

use super::SitePath;
use crate::error::ApiResult;
use crate::extract::{Json, Path};
use crate::respond;

/// Accepts events of visits of a site. They are not stored, so that the answer is the same for every site.
pub async fn track_events_in_site_by_id(
    Path(_): Path<SitePath>,
    Json(_): Json<SiteEvents>,
) -> ApiResult<HttpResponse> {
    Ok(respond::no_content())
}
