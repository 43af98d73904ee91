//! `POST /v1/orgs/{organizationId}/translations`

use actix_web::HttpResponse;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::translations::TranslationSettingsInput;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Creates translation settings, by default without languages.
pub async fn create_translation(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(TranslationSettingsInput { title, languages }): Json<TranslationSettingsInput>,
    state: State,
) -> ApiResult<HttpResponse> {
    let (title, urls) = (title.into_text()?, state.urls.clone());
    let settings = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::CreateOpenApiSpec)?;
            let settings = tx.create_translation(&organization, title, languages.unwrap_or_default())?;
            Ok(present::translation(&urls, id, settings, present::translation_permissions(&organization)))
        })
        .await?;
    respond::created(&settings.urls.location, &settings)
}
