//! `GET …/page/{pageId}`

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use quire_computed::{Computed, document_at};
use quire_domain::documents::Format;
use quire_domain::ids::PageId;
use quire_revision::{PageNode, PageType, Tree};
use quire_storage::lookup::{Authorized, ContentAt, Credentials};
use serde::Deserialize;
use serde_json::Value;

use super::place::ContentPlace;
use super::query::OnePageQuery;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// Which page of the content.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    page_id: PageId,
}

/// A page of any kind, with the pages below it.
pub async fn handle(
    Caller(caller): Caller,
    Path(place): Path<ContentPlace>,
    Path(Item { page_id }): Path<Item>,
    Query(query): Query<OnePageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    answer(caller, place, query, &request, &state, move |tree| tree.page(page_id)).await
}

/// Answers the page that `find` finds, with its content in the format that was asked for.
pub(super) async fn answer(
    caller: Credentials,
    place: ContentPlace,
    query: OnePageQuery,
    request: &HttpRequest,
    state: &State,
    find: impl Fn(&Tree) -> Option<&PageNode> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let (format, expansions) = (query.format, state.expansions_if(query.computed));
    let found = state
        .read(caller, move |reader| {
            let (content, tree, computed) = place.content_and_pages(reader, expansions.as_ref())?;
            let page = find(&tree).ok_or_else(ApiError::not_found)?;
            let document = match (format, page.document, computed.page(page.id)) {
                // That a page's document isn't there is a fault, not the caller's mistake.
                (Some(_), Some(id), _) => Some(reader.document(&content, id).map_err(ApiError::internal)?),
                (Some(_), None, Some((pages, index))) => {
                    Some(Arc::new(document_at(reader, content.specs(), pages, index)?.to_json()))
                }
                _ => None,
            };
            Ok(Found { page: page.id, content, tree, computed, document })
        })
        .await?;
    let Found { page, content, tree, computed, document } = &found;
    let view = place.view(state, content, tree).with_git(query.metadata).with_computed(computed);
    respond::ok_of_content(request, content.revision.id, &computed.versions(), || {
        let page = tree.page(*page).ok_or_else(ApiError::not_found)?;
        let body = match query.format.filter(|_| page.page_type() == PageType::Document) {
            None => None,
            Some(Format::Document) => Some(present::page_document(document.as_deref())),
            Some(Format::Markdown) => Some(present::page_markdown(page, document.as_deref())?),
        };
        Ok(view.page(page, body))
    })
}

struct Found {
    content: Authorized<ContentAt>,
    tree: Tree,
    computed: Arc<Computed>,
    page: PageId,
    document: Option<Arc<Value>>,
}
