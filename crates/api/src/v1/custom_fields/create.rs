//! `POST /v1/orgs/{organizationId}/custom-fields`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::custom_fields::{CustomFieldCreate, options_fit_type};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_storage::custom_fields::NewCustomField;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Creates a custom field. Its title defaults to its name.
pub async fn create_organization_custom_field(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<CustomFieldCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let CustomFieldCreate { name, field_type, title, description, placeholder, options } = body;
    let wrong = options_fit_type(field_type, options.is_some());
    let name = name.into_text()?;
    let field = NewCustomField {
        title: title.into_text()?.unwrap_or_else(|| name.clone()),
        name,
        field_type,
        description: description.into_text()?.unwrap_or_default(),
        placeholder: placeholder.into_text()?.unwrap_or_default(),
        options: options.into_text()?,
    };
    let urls = state.urls.clone();
    let field = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            if let Some(message) = wrong {
                return Err(ApiError::invalid_field("options", message));
            }
            let field = tx.create_custom_field(&organization, &field)?;
            Ok(present::custom_field(&urls, id, field, present::definition_permissions(&organization)))
        })
        .await?;
    respond::created(&field.urls.location, &field)
}
