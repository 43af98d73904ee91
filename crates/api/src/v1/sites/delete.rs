//! `DELETE /v1/orgs/{organizationId}/sites/{siteId}`

use actix_web::HttpResponse;
use quire_domain::policy::Action;

use super::{SitePath, lock};
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes a site with its structure. Its spaces are kept.
pub async fn delete_site_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let unlocked = tx.site(path.0, path.1)?.authorize(Action::ManageSites)?;
            // The site may be the organization's default content.
            tx.lock_organization_of(&unlocked)?;
            let site = lock(tx, path)?;
            Ok(tx.delete_site(&site)?)
        })
        .await?;
    Ok(respond::no_content())
}
