//! `GET /v1/spaces/{spaceId}/documents/{documentId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::reading::{Evaluation, ReaderForm};
use quire_domain::ids::DocumentId;
use quire_revision::Tree;
use quire_storage::Reader;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use super::path::ContentPath;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query, Reading};
use crate::respond;
use crate::state::State;
use crate::visitors::{Readable, readable_head};

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

/// Returns a document of the space, from any of its revisions. Visitors of a site read those of the content that it
/// shows, without the parts whose conditions they don't meet.
pub async fn get_document_by_id(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(Item { document_id }): Path<Item>,
    Query(_): Query<DocumentQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let Readable { content, claims } =
        readable_head(&state, &caller, (path.space(), path.selector())).await?;
    let credentials = caller.credentials();
    if let Some(claims) = claims {
        let load = move |reader: &mut Reader<'_>| {
            let tree = reader.tree(&content)?;
            if !has_document(&tree, document_id) {
                return Err(ApiError::not_found());
            }
            let document = reader.document(&content, document_id)?;
            let form = ReaderForm { evaluation: Evaluation::Conditions, ..ReaderForm::default() };
            Ok(form.of(reader, &content, &tree, Some(&document), &claims.evaluator())?)
        };
        return respond::ok(&request, &state.read(credentials, load).await?);
    }
    let document = match state.storage.cached_document(&content, document_id) {
        Some(document) => document,
        None => {
            let load = move |reader: &mut Reader<'_>| Ok(reader.document(&content, document_id)?);
            state.read(credentials, load).await?
        }
    };
    respond::ok_immutable(&request, document_id, document.as_bytes())
}

/// Returns `true` if a page or a reusable content of a tree has this document.
fn has_document(tree: &Tree, id: DocumentId) -> bool {
    let mut pages = tree.pages().filter_map(|page| page.document);
    let mut contents = tree.reusable_contents().filter_map(|content| content.document);
    pages.any(|document| document == id) || contents.any(|document| document == id)
}
