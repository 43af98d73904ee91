//! `PATCH /v1/orgs/{organizationId}/sites/{siteId}`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::sites::SiteUpdate;
use quire_storage::sites::SiteChanges;

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
    let changes = SiteChanges {
        title: body.title.into_text()?,
        visibility: body.visibility,
        basename: body.basename.into_text()?,
        hostname: body.hostname.into_text()?,
        proxy_origin: body.proxy.into_text()?,
        adaptive_content: body.adaptive_content.map(|adaptive| adaptive.enabled),
        default_site_space: body.default_site_space,
        default_section: body.default_site_section,
    };
    let urls = state.urls.clone();
    let site = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            if_match.check(&SiteView::new(&urls, &site).site())?;
            Ok(tx.update_site(site, changes)?)
        })
        .await?;
    respond::changed(&SiteView::new(&state.urls, &site).site())
}
