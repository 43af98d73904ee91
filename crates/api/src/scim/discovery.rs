//! Documents that describe the service.

use quire_domain::scim::{LIST_SCHEMA, resource_types, schemas, service_provider_configuration};

use super::request::Provider;
use super::{ScimResult, respond, service};
use crate::prelude::*;

/// `GET /scim/v2/{organizationId}/ServiceProviderConfig`
pub(super) async fn get_configuration(provider: Provider, state: State) -> ScimResult<HttpResponse> {
    let base = base(provider, &state).await?;
    Ok(respond::document(StatusCode::OK, &service_provider_configuration(&base)))
}

/// `GET /scim/v2/{organizationId}/ResourceTypes`
pub(super) async fn list_resource_types(provider: Provider, state: State) -> ScimResult<HttpResponse> {
    Ok(all(resource_types(&base(provider, &state).await?)))
}

/// `GET /scim/v2/{organizationId}/ResourceTypes/{name}`
pub(super) async fn get_resource_type(
    provider: Provider,
    Path((_, name)): Path<(String, String)>,
    state: State,
) -> ScimResult<HttpResponse> {
    one(resource_types(&base(provider, &state).await?), &name)
}

/// `GET /scim/v2/{organizationId}/Schemas`
pub(super) async fn list_schemas(provider: Provider, state: State) -> ScimResult<HttpResponse> {
    Ok(all(schemas(&base(provider, &state).await?)))
}

/// `GET /scim/v2/{organizationId}/Schemas/{name}`
pub(super) async fn get_schema(
    provider: Provider,
    Path((_, name)): Path<(String, String)>,
    state: State,
) -> ScimResult<HttpResponse> {
    one(schemas(&base(provider, &state).await?), &name)
}

/// Responds to all other paths.
pub(super) async fn unknown_path() -> ScimResult<HttpResponse> {
    Err(ApiError::not_found().into())
}

/// Returns the base URL of the service, after a check of the token.
async fn base(provider: Provider, state: &State) -> ScimResult<String> {
    let Provider { credentials, organization } = provider;
    state.read(credentials, move |reader| Ok(reader.scim_access(organization).map(drop)?)).await?;
    Ok(service(&state.urls, organization))
}

fn all(documents: Vec<Value>) -> HttpResponse {
    let list = json!({
        "schemas": [LIST_SCHEMA],
        "totalResults": documents.len(),
        "startIndex": 1,
        "itemsPerPage": documents.len(),
        "Resources": documents,
    });
    respond::document(StatusCode::OK, &list)
}

fn one(documents: Vec<Value>, id: &str) -> ScimResult<HttpResponse> {
    let found = documents.into_iter().find(|document| document.get("id").is_some_and(|found| found == id));
    let found = found.ok_or_else(ApiError::not_found)?;
    Ok(respond::document(StatusCode::OK, &found))
}
