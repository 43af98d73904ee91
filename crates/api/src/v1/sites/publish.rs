//! `POST /v1/orgs/{organizationId}/sites/{siteId}/publish` and `…/unpublish`

use actix_web::HttpResponse;

use super::{SitePath, lock};
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::present::SiteView;
use crate::respond;
use crate::state::State;

/// Opens a site to the audience of its visibility. One that is open stays so.
pub async fn publish_site(caller: Caller, path: Path<SitePath>, state: State) -> ApiResult<HttpResponse> {
    set(caller, path, state, true).await
}

/// Closes a site to everybody but members.
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
    respond::changed(&SiteView::new(&state.urls, &site).site())
}
