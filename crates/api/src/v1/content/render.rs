//! `POST /v1/spaces/{spaceId}/content/render`,
//! `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/render`

use std::time::{Duration, Instant};

use actix_web::{HttpRequest, HttpResponse};
use quire_content::reading::{Evaluation, ReaderForm};
use quire_content::rendering::{Targets, resolve};
use quire_domain::content::{RenderRequest, RenderedDocument};
use quire_domain::documents::DocumentInput;
use quire_domain::error::{FieldError, Reason};
use quire_markup::{Document, StableRefs, try_parse};
use quire_render::{Options, render};

use super::path::ContentPath;
use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::respond;

/// Time that the Markdown of a request may take to be read.
const READING_TIME: Duration = Duration::from_secs(5);

/// Returns a document as HTML, as readers of the content see it.
pub async fn render_document(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Json(RenderRequest { document }): Json<RenderRequest>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let document = api.state.compute(move |_| parsed(document)).await?;
    let shared = api.clone();
    let (document, resolved) = api
        .state
        .read(caller, move |reader| {
            let expansions = shared.expansions();
            let (content, tree, computed) = path.expanded(reader, Some(&expansions))?;
            let form = ReaderForm { evaluation: Evaluation::None, dereferenced: false, identified: false };
            let mut document = document.clone();
            form.include(reader, &content, &tree, &mut document)?;
            let view = path.view(&shared.state, &content, &tree);
            let targets = Targets::new(&view, &expansions, path.space(), &tree);
            let resolved = resolve(reader, caller, &content, targets, &computed, &[&document])?;
            Ok((document, resolved))
        })
        .await?;
    let highlighter = api.highlighter();
    let html = api
        .state
        .compute(move |_| Ok(render(&document, &resolved, &Options::english(&highlighter)).html))
        .await?;
    respond::ok(&request, &RenderedDocument { html })
}

/// Returns the document of a request.
fn parsed(input: DocumentInput) -> ApiResult<Document> {
    match input {
        DocumentInput::Document { document } => Document::from_json(&document).map_err(|errors| {
            let details = errors.into_iter();
            let details = details.map(|error| FieldError {
                field: format!("document.{}", error.path),
                message: error.message,
            });
            ApiError::new(Reason::InvalidContent).with_details(details.collect())
        }),
        DocumentInput::Markdown { markdown } => {
            let deadline = Instant::now() + READING_TIME;
            try_parse(&markdown, &StableRefs, &|| Instant::now() > deadline).map_err(|excess| {
                let detail =
                    FieldError { field: "document.markdown".to_owned(), message: excess.to_string() };
                ApiError::new(Reason::InvalidContent).with_details(vec![detail])
            })
        }
    }
}
