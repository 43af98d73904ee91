//! `POST /v1/spaces/{spaceId}/content/computed/document`

use actix_web::{HttpRequest, HttpResponse};
use quire_computed::{document_at, index_of};
use quire_domain::computed::ComputedDocumentRequest;
use quire_domain::ids::SpaceId;
use serde_json::Value;

use super::{as_pages, pages_of};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path, Query};
use crate::respond;
use crate::state::State;
use crate::v1::content::document::DocumentQuery;

/// A document that is computed from an OpenAPI specification. The same source, version and seed give the same document, byte for byte.
pub async fn handle(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(_): Query<DocumentQuery>,
    Json(body): Json<ComputedDocumentRequest>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let document: Value = state
        .read(caller, move |reader| {
            let (content, mut pages) = pages_of(reader, space, as_pages(&body.source), &body.seed)?;
            let index = index_of(&pages, &body.source.props).ok_or_else(|| {
                ApiError::invalid_field("source.props.doc", "is no document of the specification")
            })?;
            pages.models |= pages.is_model(index);
            Ok(document_at(reader, content.specs(), &pages, index)?.to_json())
        })
        .await?;
    respond::ok(&request, &document)
}
