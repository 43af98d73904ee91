//! `POST /v1/spaces/{spaceId}/content/computed/document`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::computed::document_at;
use quire_domain::computed::{ComputedDocumentRequest, DocumentSource, RevisionProps, RevisionSource};
use quire_domain::documents::DocumentJson;
use quire_domain::ids::SpaceId;
use quire_revision::{PageKind, Tree};
use serde_json::Value;

use super::pages_of;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Json, Path, Query, Reading};
use crate::respond;
use crate::state::State;
use crate::v1::content::document::DocumentQuery;

/// Returns a document computed from an OpenAPI specification. Equal source, version and seed give an identical
/// document.
pub async fn get_computed_document(
    caller: Reading,
    Path(space): Path<SpaceId>,
    Query(_): Query<DocumentQuery>,
    Json(body): Json<ComputedDocumentRequest>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let seed = body.seed.into_text()?;
    let document: DocumentJson = state
        .read(caller.credentials(), move |reader| {
            let (content, mut pages) = pages_of(reader, (&caller, space), as_pages(&body.source), &seed)?;
            let index = pages.select(&body.source.props).ok_or_else(|| {
                let field =
                    if body.source.props.page.is_some() { "source.props.page" } else { "source.props.doc" };
                ApiError::invalid_field(field, "is not a document of the specification")
            })?;
            pages.props.models |= has_page_of_models(&reader.tree(&content)?, &seed);
            Ok(document_at(reader, content.specs(), &pages, index)?.to_canonical_json().into())
        })
        .await?;
    respond::ok(&request, &document)
}

/// Returns `true` if the placeholder with this seed has a page of the models. Names of models then link to it.
fn has_page_of_models(tree: &Tree, seed: &str) -> bool {
    tree.computed_pages().any(|page| match &page.kind {
        PageKind::Computed { source, seed: its } => {
            its == seed && source.pointer("/props/models") == Some(&Value::Bool(true))
        }
        _ => false,
    })
}

/// Converts the source of a document to one of pages, which identifies the specification.
fn as_pages(source: &DocumentSource) -> RevisionSource {
    RevisionSource {
        computed_type: source.computed_type,
        dependencies: source.dependencies.clone(),
        props: RevisionProps::default(),
    }
}
