//! `POST /v1/integrations/{integrationName}/installations`

use actix_web::HttpResponse;
use quire_domain::integrations::InstallationCreate;
use quire_domain::policy::Action;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Installs an integration on an organization. A private one can be installed only on its owner.
pub async fn install_integration(
    Caller(caller): Caller,
    Path(name): Path<String>,
    Json(InstallationCreate { organization: id }): Json<InstallationCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let installation = state
        .transact(caller, move |tx| {
            let integration = tx.integration(&name)?.authorize(Action::ViewOrganization)?;
            let organization = tx.organization(id).map_err(unknown_organization)?;
            let organization = organization.authorize(Action::AdministerOrganization)?;
            if !integration.may_be_installed_on(id) {
                return Err(ApiError::invalid_field(
                    "organization",
                    "the integration is private to another organization",
                ));
            }
            Ok(tx.install_integration(&integration, &organization)?)
        })
        .await?;
    let installation = present::installation(&state.urls, id, installation);
    respond::created(&installation.urls.location, &installation)
}

fn unknown_organization(error: quire_storage::Error) -> ApiError {
    match error {
        quire_storage::Error::NotFound => ApiError::invalid_field("organization", "does not exist"),
        error => error.into(),
    }
}
