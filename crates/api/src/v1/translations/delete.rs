//! `DELETE /v1/orgs/{organizationId}/translations/{translationSettingsId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, TranslationSettingsId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes translation settings.
pub async fn delete_translation(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, TranslationSettingsId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let settings = tx.translation(organization, id)?.authorize(Action::CreateOpenApiSpec)?;
            Ok(tx.delete_translation(&settings)?)
        })
        .await?;
    Ok(respond::no_content())
}
