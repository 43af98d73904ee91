//! Documents of pages and of reusable contents.

use std::time::Instant;

use quire_content::edits::{Converted, convert};
use quire_content::reading::{Evaluation, ReaderForm};
use quire_content::rendering::{Targets, resolve};
use quire_domain::content::{Conversion, ConversionRequest, RenderRequest, RenderedDocument};
use quire_domain::ids::ReusableContentId;
use quire_render::{Options, render};
use quire_revision::{PageType, Tree};

use super::answer::{ContentRequest, Source, answer, document_of, reader_document};
use super::pages::PageItem;
use super::path::ContentPath;
use super::query::{ContentQuery, ReaderDocumentQuery};
use super::write::parse_document;
use crate::prelude::*;
use crate::visitors::{Readable, readable_head};

/// Path parameters: the document of the space.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentItem {
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

pub async fn get_document_by_id(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(DocumentItem { document_id }): Path<DocumentItem>,
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

/// Returns whether a page or a reusable content of a tree has this document.
fn has_document(tree: &Tree, id: DocumentId) -> bool {
    let mut pages = tree.pages().filter_map(|page| page.document);
    let mut contents = tree.reusable_contents().filter_map(|content| content.document);
    pages.any(|document| document == id) || contents.any(|document| document == id)
}

pub async fn get_page_document(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(item): Path<PageItem>,
    Query(query): Query<ReaderDocumentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let asked = ContentRequest { caller, path, git: false, computed: true };
    let find = move |tree: &Tree| {
        tree.page(item.page_id).filter(|page| page.page_type() == PageType::Document).cloned()
    };
    let make = move |mut source: Source<'_, '_>, page| {
        let document = document_of(&mut source, &page)?;
        reader_document(&mut source, document.as_ref(), query.form())
    };
    answer(asked, &request, &api, find, make).await
}

pub async fn get_reusable_content_document(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(item): Path<ReusableContentItem>,
    Query(query): Query<ReaderDocumentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let asked = ContentRequest { caller, path, git: false, computed: false };
    let find =
        move |tree: &Tree| tree.reusable_content(item.reusable_content_id).map(|content| content.document);
    let make = move |mut source: Source<'_, '_>, id: Option<_>| {
        let Source { reader, content, .. } = &mut source;
        let document = id.map(|id| reader.document(content, id).map_err(ApiError::internal)).transpose()?;
        reader_document(&mut source, document.as_ref(), query.form())
    };
    answer(asked, &request, &api, find, make).await
}

/// Path parameters: the reusable content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReusableContentItem {
    pub(super) reusable_content_id: ReusableContentId,
}

pub async fn get_reusable_content(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(ReusableContentItem { reusable_content_id }): Path<ReusableContentItem>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let asked = ContentRequest { caller, path, git: query.metadata, computed: false };
    let find = move |tree: &Tree| tree.reusable_content(reusable_content_id).cloned();
    answer(asked, &request, &api, find, |source, found| Ok(source.view.reusable_content(&found))).await
}

pub async fn render_document(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Json(RenderRequest { document }): Json<RenderRequest>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let parsed = move |_: &_| {
        let parsed = parse_document("document", &document);
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

/// Time limit for parsing the Markdown of a request.
const READING_TIME: Duration = Duration::from_secs(5);

pub async fn convert_page_content(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(PageItem { page_id }): Path<PageItem>,
    Json(ConversionRequest { document }): Json<ConversionRequest>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let tree = state
        .read(caller, move |reader| {
            let content = reader.content(path.space(), path.selector())?.authorize(Action::EditContent)?;
            let tree = reader.tree(&content)?;
            let page = tree.page(page_id).filter(|page| page.page_type() == PageType::Document);
            page.ok_or_else(ApiError::not_found)?;
            Ok(tree)
        })
        .await?;
    let deadline = Instant::now() + READING_TIME;
    let converted = state
        .compute(move |_| {
            let Converted { markdown, document } =
                convert(&tree, page_id, document, &|| Instant::now() > deadline)
                    .map_err(|fields| ApiError::new(Reason::InvalidBody).with_details(fields))?;
            Ok(Conversion { markdown, document: document.to_canonical_json().into() })
        })
        .await?;
    respond::ok(&request, &converted)
}
