//! `GET /v1/orgs/{organizationId}/openapi/{specSlug}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::policy::Action;

use super::path::SpecPath;
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns a specification with the processing state of its source.
pub async fn get_open_api_spec_by_slug(
    Caller(caller): Caller,
    Path(path): Path<SpecPath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let spec =
        state.read(caller, move |reader| Ok(path.spec(reader, Action::ViewOrganizationContent)?)).await?;
    respond::ok(&request, &present::openapi_spec(&state.urls, &spec))
}
