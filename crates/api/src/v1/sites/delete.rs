//! `DELETE /v1/orgs/{organizationId}/sites/{siteId}`

use actix_web::HttpResponse;
use quire_domain::policy::Action;

use super::{SitePath, lock};
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Removes a site and all that stands on it; its spaces stay.
pub async fn delete_site_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let unlocked = tx.site(path.0, path.1)?.authorize(Action::ManageSites)?;
            // It may be what the organization shows first.
            tx.lock_organization_of(&unlocked)?;
            let site = lock(tx, path)?;
            Ok(tx.delete_site(&site)?)
        })
        .await?;
    Ok(respond::no_content())
}
