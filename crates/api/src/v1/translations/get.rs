//! `GET /v1/orgs/{organizationId}/translations/{translationSettingsId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, TranslationSettingsId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns translation settings.
pub async fn get_translation(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, TranslationSettingsId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let settings = state
        .read(caller, move |reader| {
            let found = reader.translation(organization, id)?;
            Ok(found.authorize(Action::ViewOrganizationContent)?)
        })
        .await?;
    respond::ok(&request, &present::found_translation(&state.urls, &settings))
}
