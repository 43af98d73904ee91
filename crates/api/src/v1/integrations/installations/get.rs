//! `GET /v1/integrations/{integrationName}/installations/{installationId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::InstallationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns an installation, for members of its organization.
pub async fn get_integration_installation_by_id(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let found = state
        .read(caller, move |reader| {
            Ok(reader.installation(&name, id)?.authorize(Action::ListIntegrations)?)
        })
        .await?;
    respond::ok(&request, &present::found_installation(&state.urls, &found))
}
