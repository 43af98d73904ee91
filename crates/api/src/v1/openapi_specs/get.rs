//! `GET /v1/orgs/{organizationId}/openapi/{specSlug}`

use actix_web::{HttpRequest, HttpResponse};

use super::path::SpecPath;
use crate::error::ApiResult;
use crate::extract::{Path, Reading};
use crate::state::State;
use crate::{present, respond};

/// Returns a specification with the processing state of its source.
pub async fn get_open_api_spec_by_slug(
    caller: Reading,
    Path(path): Path<SpecPath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let is_visitor = caller.visitor().is_some();
    let spec = state.read(caller.credentials(), move |reader| path.readable(reader, &caller)).await?;
    let spec = match is_visitor {
        true => present::visited_openapi_spec(&state.urls, &spec),
        false => present::openapi_spec(&state.urls, &spec),
    };
    respond::ok(&request, &spec)
}
