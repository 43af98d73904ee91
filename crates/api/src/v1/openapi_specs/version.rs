//! `GET /v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}`

use actix_web::{HttpRequest, HttpResponse};

use super::path::{SpecPath, VersionItem};
use crate::error::ApiResult;
use crate::extract::{Path, Reading};
use crate::state::State;
use crate::{present, respond};

/// Returns a version of a specification; `latest` is the newest one.
pub async fn get_open_api_spec_version_by_id(
    caller: Reading,
    Path(path): Path<SpecPath>,
    Path(VersionItem { version_id }): Path<VersionItem>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (spec, version) = state
        .read(caller.credentials(), move |reader| {
            let spec = path.readable(reader, &caller)?;
            let version = reader.openapi_spec_version(&spec, version_id)?;
            Ok((spec, version))
        })
        .await?;
    respond::ok(&request, &present::openapi_spec_version(&state.urls, &spec, version))
}
