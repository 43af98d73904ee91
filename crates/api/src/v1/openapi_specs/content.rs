//! `GET /v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content` and `…/content/raw`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::openapi_specs::{SpecContent, SpecContentRaw, SpecContentUrls, SpecFile};
use quire_markup::openapi::to_json;
use serde_json::value::RawValue;

use super::path::{SpecPath, VersionItem};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Reading};
use crate::state::State;
use crate::{present, respond};

/// Returns the content of a version: the source text, and the specification as JSON.
pub async fn get_open_api_spec_version_content_by_id(
    caller: Reading,
    Path(path): Path<SpecPath>,
    Path(VersionItem { version_id }): Path<VersionItem>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (spec, version, content) = state
        .read(caller.credentials(), move |reader| {
            let spec = path.readable(reader, &caller)?;
            let (version, _) = reader.openapi_spec_version(&spec, version_id)?;
            let content = reader.openapi_spec_content(&spec, version)?;
            Ok((spec, version, content))
        })
        .await?;
    let url = format!("{}/content", present::version_location(&state.urls, &spec, version));
    let content = state
        .compute(move |_| {
            // A processed version is parseable, so an error is a fault of the service.
            let (_, json) = to_json(&content.source).map_err(ApiError::internal)?;
            let file = SpecFile {
                dir: ".".to_owned(),
                is_entrypoint: true,
                references: Vec::new(),
                filename: "openapi.json".to_owned(),
                specification: RawValue::from_string(json.into_owned()).map_err(ApiError::internal)?,
            };
            let urls = SpecContentUrls { source: url, public: None };
            Ok(SpecContent { urls, filesystem: vec![file], format: content.format, text: content.source })
        })
        .await?;
    respond::ok(&request, &content)
}

/// Returns the source text of a version.
pub async fn get_open_api_spec_version_content_raw_by_id(
    caller: Reading,
    Path(path): Path<SpecPath>,
    Path(VersionItem { version_id }): Path<VersionItem>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let content = state
        .read(caller.credentials(), move |reader| {
            let spec = path.readable(reader, &caller)?;
            let (version, _) = reader.openapi_spec_version(&spec, version_id)?;
            Ok(reader.openapi_spec_content(&spec, version)?)
        })
        .await?;
    respond::ok(&request, &SpecContentRaw { text: content.source, format: content.format })
}
