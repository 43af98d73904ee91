//! `GET …/page/{pageId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::computed::document_at;
use quire_content::page_body;
use quire_content::reading::ReaderForm;
use quire_domain::documents::{DocumentJson, Format};
use quire_domain::ids::PageId;
use quire_domain::revisions::Page;
use quire_revision::{PageNode, PageType, Tree};
use serde::Deserialize;

use super::answer::{Asked, Source};
use super::path::ContentPath;
use super::query::OnePageQuery;
use super::reader_form::reader_document;
use crate::api::{Api, ApiData};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query, Reading};

/// Path parameters: the page of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    pub(super) page_id: PageId,
}

/// Returns a page of any type with its subpages.
pub async fn get_page(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(Item { page_id }): Path<Item>,
    Query(query): Query<OnePageQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    answer(caller, path, query, &request, &api, move |tree| tree.page(page_id)).await
}

/// Responds with the page that `find` returns, with its content in the requested format.
pub(super) async fn answer(
    caller: Reading,
    path: ContentPath,
    query: OnePageQuery,
    request: &HttpRequest,
    api: &Api,
    find: impl Fn(&Tree) -> Option<&PageNode> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let form = query.form();
    let OnePageQuery { format, metadata: git, computed, .. } = query;
    let asked = Asked { caller, path, git, computed };
    let find = move |tree: &Tree| find(tree).cloned();
    super::answer::answer(asked, request, api, find, move |source, page| present(source, &page, format, form))
        .await
}

fn present(mut source: Source<'_, '_>, page: &PageNode, format: Format, form: ReaderForm) -> ApiResult<Page> {
    let mut document = document_of(&mut source, page)?;
    if !form.is_stored() || source.claims.is_some() {
        document = Some(reader_document(&mut source, document.as_ref(), form)?.to_canonical_json().into());
    }
    let body = match (page.page_type(), format) {
        (PageType::Document, Format::Document) => Some(page_body::page_document(document)),
        (PageType::Document, Format::Markdown) => Some(page_body::page_markdown(page, document.as_ref())?),
        _ => None,
    };
    Ok(source.view.page(page, body))
}

/// Returns the stored or computed document of a page; `None` if it has none.
pub(super) fn document_of(source: &mut Source<'_, '_>, page: &PageNode) -> ApiResult<Option<DocumentJson>> {
    let Source { reader, content, computed, .. } = source;
    Ok(match (page.document, computed.page(page.id)) {
        // A missing document of a page is a fault of the service, not of the caller.
        (Some(id), _) => Some(reader.document(content, id).map_err(ApiError::internal)?),
        (None, Some((pages, index))) => {
            Some(document_at(reader, content.specs(), pages, index)?.to_canonical_json().into())
        }
        (None, None) => None,
    })
}
