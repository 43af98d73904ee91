//! `DELETE /v1/integrations/{integrationName}/installations/{installationId}`

use actix_web::HttpResponse;
use quire_domain::ids::InstallationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Uninstalls an integration from an organization and all its spaces and sites.
pub async fn uninstall_integration(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let installation = tx.installation(&name, id)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.uninstall_integration(&installation)?)
        })
        .await?;
    Ok(respond::no_content())
}
