//! `POST /v1/orgs/{organizationId}/sites/{siteId}/publish` and `…/unpublish`

use actix_web::HttpResponse;

use super::{SitePath, lock};
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::present::SiteView;
use crate::respond;
use crate::state::State;

/// Publishes a site. A published site is unchanged.
pub async fn publish_site(caller: Caller, path: Path<SitePath>, state: State) -> ApiResult<HttpResponse> {
    set(caller, path, state, true).await
}

/// Unpublishes a site. Only members can see it then.
pub async fn unpublish_site(caller: Caller, path: Path<SitePath>, state: State) -> ApiResult<HttpResponse> {
    set(caller, path, state, false).await
}

async fn set(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    state: State,
    published: bool,
) -> ApiResult<HttpResponse> {
    let site = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            Ok(tx.publish_site(site, published)?)
        })
        .await?;
    respond::changed(&SiteView::new(&state.urls, &site).seen_by(site.role()).site())
}
