//! `POST /v1/spaces/{spaceId}/content/render`,
//! `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/render`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::reading::{Evaluation, ReaderForm};
use quire_content::rendering::{Targets, resolve};
use quire_domain::content::{RenderRequest, RenderedDocument};
use quire_domain::error::Reason;
use quire_render::{Options, render};

use super::input;
use super::path::ContentPath;
use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::respond;

/// Returns a document as HTML, as readers of the content see it.
pub async fn render_document(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Json(RenderRequest { document }): Json<RenderRequest>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let parsed = move |_: &_| {
        let parsed = input::parse("document", &document);
        parsed.map_err(|error| ApiError::new(Reason::InvalidContent).with_details(error.into_fields()))
    };
    let document = api.state.compute(parsed).await?;
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
