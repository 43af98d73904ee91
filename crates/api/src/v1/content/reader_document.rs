//! `GET …/page/{pageId}/document` and `GET …/reusable-contents/{reusableContentId}/document`

use actix_web::{HttpRequest, HttpResponse};
use quire_revision::{PageType, Tree};

use super::answer::{Asked, Source, answer};
use super::path::ContentPath;
use super::query::ReaderDocumentQuery;
use super::reader_form::reader_document;
use super::{page, reusable_content};
use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query, Reading};

/// Answers the document of a page in the form that readers get.
pub async fn get_page_document(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(item): Path<page::Item>,
    Query(query): Query<ReaderDocumentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let asked = Asked { caller, path, git: false, computed: true };
    let find = move |tree: &Tree| {
        tree.page(item.page_id).filter(|page| page.page_type() == PageType::Document).cloned()
    };
    let make = move |mut source: Source<'_, '_>, page| {
        let document = page::document_of(&mut source, &page)?;
        reader_document(&mut source, document.as_ref(), query.form())
    };
    answer(asked, &request, &api, find, make).await
}

/// Answers the document of a reusable content in the form that readers get.
pub async fn get_reusable_content_document(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Path(item): Path<reusable_content::Item>,
    Query(query): Query<ReaderDocumentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let asked = Asked { caller, path, git: false, computed: false };
    let find =
        move |tree: &Tree| tree.reusable_content(item.reusable_content_id).map(|content| content.document);
    let make = move |mut source: Source<'_, '_>, id: Option<_>| {
        let Source { reader, content, .. } = &mut source;
        let document = id.map(|id| reader.document(content, id).map_err(ApiError::internal)).transpose()?;
        reader_document(&mut source, document.as_ref(), query.form())
    };
    answer(asked, &request, &api, find, make).await
}
