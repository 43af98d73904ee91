//! `GET /v1/spaces/{spaceId}/documents/{documentId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::DocumentId;
use quire_domain::policy::Action;
use quire_storage::Reader;
use quire_storage::lookup::ContentKey;
use serde::Deserialize;
use validator::Validate;

use super::path::ContentPath;
use crate::described::{IntoParams, ToSchema};
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::respond;
use crate::state::State;

/// Path parameters: the document of the space.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    document_id: DocumentId,
}

/// Version of the document schema that a client supports. Both values mean the only version so far.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SchemaVersion {
    /// Default version.
    Current,
    /// Next version.
    Next,
}

/// Query parameters of a document.
#[derive(Clone, Copy, Debug, Deserialize, Validate, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DocumentQuery {
    /// Version of the document schema.
    #[param(inline, nullable = false)]
    #[expect(dead_code, reason = "both versions are one so far; it is read to refuse what is neither")]
    schema: Option<SchemaVersion>,
}

/// Returns a document of the space, from any of its revisions.
pub async fn get_document_by_id(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(Item { document_id }): Path<Item>,
    Query(_): Query<DocumentQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let key = ContentKey { credentials: caller, space: path.space(), revision: None };
    let content = state.content_head(key).await?.authorize(Action::ViewSpace)?;
    let document = match state.storage.cached_document(&content, document_id) {
        Some(document) => document,
        None => {
            let load = move |reader: &mut Reader<'_>| Ok(reader.document(&content, document_id)?);
            state.read(caller, load).await?
        }
    };
    respond::ok_immutable(&request, document_id, document.as_bytes())
}
