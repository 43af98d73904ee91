//! `POST /v1/orgs/{organizationId}/openapi`

use actix_web::HttpResponse;
use quire_domain::ids::OrganizationId;
use quire_domain::openapi_specs::OpenApiSpecCreate;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Creates a specification. Its source is processed in the background.
pub async fn create_open_api_spec(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<OpenApiSpecCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let OpenApiSpecCreate { slug, source } = body;
    let spec = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::CreateOpenApiSpec)?;
            Ok(tx.create_openapi_spec(&organization, &slug, &source)?)
        })
        .await?;
    let spec = present::openapi_spec(&state.urls, &spec);
    respond::created(&spec.urls.location, &spec)
}
