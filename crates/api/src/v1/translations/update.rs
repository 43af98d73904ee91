//! `PUT /v1/orgs/{organizationId}/translations/{translationSettingsId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, TranslationSettingsId};
use quire_domain::policy::Action;
use quire_domain::translations::TranslationSettingsInput;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates the title and, if given, the languages of translation settings.
pub async fn update_translation(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, TranslationSettingsId)>,
    Json(TranslationSettingsInput { title, languages }): Json<TranslationSettingsInput>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let (title, urls) = (title.into_text()?, state.urls.clone());
    let settings = state
        .transact(caller, move |tx| {
            let settings = tx.translation(organization, id)?.authorize(Action::CreateOpenApiSpec)?;
            let settings = tx.lock_translation(settings)?;
            if_match.check(&present::found_translation(&urls, &settings))?;
            let fresh = tx.update_translation(&settings, title, languages)?;
            let permissions = present::translation_permissions(&settings);
            Ok(present::translation(&urls, organization, fresh, permissions))
        })
        .await?;
    respond::changed(&settings)
}
