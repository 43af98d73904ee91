//! `GET …/page/{pageId}`

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use quire_content::computed::{Computed, document_at};
use quire_content::page_body;
use quire_domain::documents::{DocumentJson, Format};
use quire_domain::ids::PageId;
use quire_revision::{PageNode, PageType, Tree};
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, ContentAt, Credentials};
use serde::Deserialize;

use super::path::ContentPath;
use super::query::OnePageQuery;
use crate::api::{Api, ApiData};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::respond;
use crate::respond::Conditional;

/// Which page of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    page_id: PageId,
}

/// A page of any kind, with the pages below it.
pub async fn get_page(
    Caller(caller): Caller,
    Path(place): Path<ContentPath>,
    Path(Item { page_id }): Path<Item>,
    Query(query): Query<OnePageQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    answer(caller, place, query, &request, &api, move |tree| tree.page(page_id)).await
}

/// Answers the page that `find` finds, with its content in the requested format.
pub(super) async fn answer(
    caller: Credentials,
    place: ContentPath,
    query: OnePageQuery,
    request: &HttpRequest,
    api: &Api,
    find: impl Fn(&Tree) -> Option<&PageNode> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let expansions = api.expansions_if(query.computed);
    let conditional = Conditional::of(request);
    let (tag, found) = state
        .read(caller, move |reader| {
            let (content, tree, computed) = place.expanded(reader, expansions.as_ref())?;
            let page = find(&tree).ok_or_else(ApiError::not_found)?.clone();
            let tag = conditional.tag(content.revision.id, &computed.versions());
            if conditional.has(&tag) {
                return Ok((tag, None));
            }
            let document = document_of(reader, &content, &page, &computed)?;
            Ok((tag, Some(Found { page, content, tree, computed, document })))
        })
        .await?;
    let Some(Found { page, content, tree, computed, document }) = &found else {
        return respond::not_modified(&tag);
    };
    let view = place.view(state, content, tree).with_git(query.metadata).with_computed(computed);
    let body = match (page.page_type(), query.format) {
        (PageType::Document, Format::Document) => Some(page_body::page_document(document.clone())),
        (PageType::Document, Format::Markdown) => Some(page_body::page_markdown(page, document.as_ref())?),
        _ => None,
    };
    respond::ok_tagged(&tag, &view.page(page, body))
}

fn document_of(
    reader: &mut Reader<'_>,
    content: &Authorized<ContentAt>,
    page: &PageNode,
    computed: &Computed,
) -> ApiResult<Option<DocumentJson>> {
    Ok(match (page.document, computed.page(page.id)) {
        // That a page's document isn't there is a fault, not the caller's mistake.
        (Some(id), _) => Some(reader.document(content, id).map_err(ApiError::internal)?),
        (None, Some((pages, index))) => {
            Some(document_at(reader, content.specs(), pages, index)?.to_canonical_json().into())
        }
        (None, None) => None,
    })
}

struct Found {
    content: Authorized<ContentAt>,
    tree: Tree,
    computed: Arc<Computed>,
    page: PageNode,
    document: Option<DocumentJson>,
}
