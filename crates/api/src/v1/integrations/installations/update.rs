//! `PATCH /v1/integrations/{integrationName}/installations/{installationId}`

use actix_web::HttpResponse;
use quire_domain::ids::InstallationId;
use quire_domain::integrations::InstallationUpdate;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates an installation. Without required configuration its status is `pending`.
pub async fn update_integration_installation(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    OptionalJson(update): OptionalJson<InstallationUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let installation = state
        .transact(caller, move |tx| {
            let found = tx.installation(&name, id)?.authorize(Action::AdministerOrganization)?;
            let installation = tx.lock_installation(found)?;
            if_match.check(&present::found_installation(&urls, &installation))?;
            let fresh = tx.update_installation(&installation, update)?;
            Ok(present::installation(&urls, installation.organization.id, fresh))
        })
        .await?;
    respond::changed(&installation)
}
