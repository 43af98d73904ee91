//! `POST /v1/integrations/{integrationName}`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::error::{FieldError, Reason};
use quire_domain::integrations::{IntegrationPublish, IntegrationTarget, IntegrationVisibility};
use quire_domain::policy::Action;
use quire_domain::texts::IntegrationName;
use quire_storage::integrations::{NewIntegration, Published};

use super::images;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Publishes an integration: 201 for a new name, 200 for a new version. Allowed for administrators of the owner.
pub async fn publish_integration(
    Caller(caller): Caller,
    Path(name): Path<String>,
    Json(body): Json<IntegrationPublish>,
    state: State,
) -> ApiResult<HttpResponse> {
    let key = body.organization.clone().into_text()?;
    let new = new_integration(name.clone(), body);
    let (published, integration) = state
        .transact(caller, move |tx| {
            let owner = tx.organization_by_key(&key).map_err(unknown_organization)?;
            let owner = owner.authorize(Action::AdministerOrganization)?;
            let published = tx.publish_integration(&owner, &new?)?;
            let found = tx.integration(&name)?.authorize(Action::ViewOrganization)?;
            Ok((published, found.into_inner()))
        })
        .await?;
    let integration = present::integration(&state.urls, integration, true)?;
    match published {
        Published::First => respond::created(&integration.urls.location, &integration),
        Published::Again => respond::changed(&integration),
    }
}

/// Returns the record to store, after checks of the images and the name.
fn new_integration(name: String, body: IntegrationPublish) -> ApiResult<NewIntegration> {
    let name = IntegrationName::new(name).and_then(IntegrationName::into_text).map_err(|error| {
        let field = FieldError { field: "integrationName".to_owned(), message: error.to_string() };
        ApiError::new(Reason::InvalidPath).with_details(vec![field])
    })?;
    let icon = body.icon.as_deref().map(|icon| images::read("icon", icon)).transpose()?;
    let previews = body.preview_images.iter().enumerate();
    let previews = previews.map(|(index, image)| images::read(&format!("previewImages[{index}]"), image));
    Ok(NewIntegration {
        name,
        icon,
        previews: previews.collect::<ApiResult<_>>()?,
        title: body.title.into_text()?,
        description: body.description.into_text()?,
        summary: body.summary.into_text()?,
        target: body.target.unwrap_or(IntegrationTarget::All),
        visibility: body.visibility.unwrap_or(IntegrationVisibility::Private),
        scopes: body.scopes,
        categories: body.categories,
        blocks: body.blocks,
        content_sources: body.content_sources,
        configurations: body.configurations,
        external_links: body.external_links,
        content_security_policy: body.content_security_policy,
        script: body.script.into_text()?,
        secrets: body.secrets,
    })
}

/// Attributes a missing organization to the body, not to the path.
fn unknown_organization(error: quire_storage::Error) -> ApiError {
    match error {
        quire_storage::Error::NotFound => ApiError::invalid_field("organization", "does not exist"),
        error => error.into(),
    }
}
