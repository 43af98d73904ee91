//! `GET /v1/orgs/{organizationId}/custom-fields/{fieldName}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns a custom field by name.
pub async fn get_organization_custom_field_by_name(
    Caller(caller): Caller,
    Path((organization, name)): Path<(OrganizationId, String)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let field = state
        .read(caller, move |reader| {
            let found = reader.custom_field(organization, &name)?;
            Ok(found.authorize(Action::ViewOrganizationContent)?)
        })
        .await?;
    respond::ok(&request, &present::found_custom_field(&state.urls, &field))
}
