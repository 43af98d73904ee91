//! `PATCH /v1/orgs/{organizationId}/sites/{siteId}`

use actix_web::HttpResponse;
use quire_domain::sites::SiteUpdate;

use super::{SitePath, lock};
use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::present::SiteView;
use crate::respond;
use crate::state::State;

/// Updates a site.
pub async fn update_site_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    OptionalJson(body): OptionalJson<SiteUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let site = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            if_match.check(&SiteView::new(&urls, &site).seen_by(site.role()).site())?;
            Ok(tx.update_site(site, body)?)
        })
        .await?;
    respond::changed(&SiteView::new(&state.urls, &site).seen_by(site.role()).site())
}
