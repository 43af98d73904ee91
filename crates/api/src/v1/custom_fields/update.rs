//! `PATCH /v1/orgs/{organizationId}/custom-fields/{fieldName}`

use actix_web::HttpResponse;
use quire_domain::custom_fields::{CustomFieldUpdate, options_fit_type};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates the texts and options of a custom field. Options in use cannot be removed.
pub async fn update_organization_custom_field(
    Caller(caller): Caller,
    Path((organization, name)): Path<(OrganizationId, String)>,
    OptionalJson(body): OptionalJson<CustomFieldUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let field = state
        .transact(caller, move |tx| {
            let field = tx.custom_field(organization, &name)?.authorize(Action::AdministerOrganization)?;
            let field = tx.lock_custom_field(field)?;
            if_match.check(&present::found_custom_field(&urls, &field))?;
            if body.options.is_some()
                && let Some(message) = options_fit_type(field.item.field_type, true)
            {
                return Err(ApiError::invalid_field("options", message));
            }
            let fresh = tx.update_custom_field(&field, body)?;
            let permissions = present::definition_permissions(&field);
            Ok(present::custom_field(&urls, organization, fresh, permissions))
        })
        .await?;
    respond::changed(&field)
}
