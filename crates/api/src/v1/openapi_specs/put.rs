//! `PUT /v1/orgs/{organizationId}/openapi/{specSlug}`

use actix_web::HttpResponse;
use quire_domain::error::{FieldError, Reason};
use quire_domain::ids::OrganizationId;
use quire_domain::openapi_specs::{OpenApiSpecPut, SpecSlug};
use quire_domain::policy::Action;
use serde::Deserialize;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Specification in the path. It is created if it does not exist, so an invalid slug is an error of the caller.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewSpecPath {
    organization_id: OrganizationId,
    spec_slug: String,
}

/// Sets the source of a specification, which is created if it does not exist. The source is processed in the background
/// and replaces one in progress.
pub async fn create_or_update_open_api_spec_by_slug(
    Caller(caller): Caller,
    Path(NewSpecPath { organization_id, spec_slug }): Path<NewSpecPath>,
    Json(body): Json<OpenApiSpecPut>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let slug = spec_slug.parse::<SpecSlug>();
    let urls = state.urls.clone();
    let (spec, is_new) = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization_id)?.authorize(Action::CreateOpenApiSpec)?;
            let slug = slug.map_err(|error| {
                let field = "specSlug".to_owned();
                ApiError::new(Reason::InvalidPath)
                    .with_details(vec![FieldError { field, message: error.to_string() }])
            })?;
            tx.put_openapi_spec(&organization, &slug, &body.source, |present| match present {
                Some(present) => if_match.check(&present::openapi_spec(&urls, present)),
                None => if_match.check_absent(),
            })
        })
        .await?;
    let spec = present::openapi_spec(&state.urls, &spec);
    if is_new { respond::created(&spec.urls.location, &spec) } else { respond::changed(&spec) }
}
