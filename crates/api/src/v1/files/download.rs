//! `GET /v1/spaces/{spaceId}/files/{blob}/{fileName}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SpaceId;
use quire_server::files::{SignedQuery, respond_signed};
use serde::Deserialize;
use utoipa::IntoParams;
use validator::Validate;

use crate::error::ApiResult;
use crate::extract::{Path, Query};
use crate::state::State;

/// Query parameters of a download URL.
#[derive(Debug, Deserialize, Validate, IntoParams)]
pub struct DownloadQuery {
    /// Media type of the response.
    #[serde(rename = "type")]
    #[param(value_type = String)]
    content_type: Option<String>,
    /// Signature of the URL.
    token: Option<String>,
}

/// Returns the bytes of a file, or a range of them. The signed URL is the permission.
pub async fn download_file(
    Path(file): Path<(SpaceId, String, String)>,
    Query(query): Query<DownloadQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let query = SignedQuery { content_type: query.content_type, token: query.token };
    respond_signed(file, query, &request, &state).await
}
