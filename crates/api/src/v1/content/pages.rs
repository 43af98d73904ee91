//! `GET …/pages`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::error::{FieldError, Reason};
use quire_domain::revisions::PageList;

use super::answer::{Asked, Source, respond_with};
use super::page_parts::{IN_PARTS, PageParts, Surroundings, in_tree_order};
use super::path::ContentPath;
use super::query::PagesQuery;
use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query, Reading};
use crate::respond::{ContentAnswer, ContentTag};

/// Returns the pages as a tree: all of them, or some levels below a page.
pub async fn list_pages(
    caller: Reading,
    Path(path): Path<ContentPath>,
    Query(query): Query<PagesQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let levels = query.levels();
    let PagesQuery { parent, metadata: git, computed, .. } = query;
    let asked = Asked { caller, path, git, computed };
    let state = api.state.clone();
    let make = move |source: Source<'_, '_>, (), tag: &ContentTag| {
        if parent.is_some_and(|parent| source.tree.page(parent).is_none()) {
            let message = "must be a page of this content".to_owned();
            let details = vec![FieldError { field: "parent".to_owned(), message }];
            return Err(ApiError::new(Reason::InvalidQuery).with_details(details));
        }
        let pages = in_tree_order(source.tree, parent, levels);
        if pages.len() < IN_PARTS {
            let nodes = pages.iter().filter_map(|(id, _)| source.tree.page(*id)).collect();
            let list = PageList { pages: source.view.pages_below(parent, nodes) };
            return ContentAnswer::new(&state.answers, tag, &list);
        }
        let viewed = path.viewed(source.content.change_request);
        let content = (viewed, source.tree.clone(), source.computed.clone());
        Ok(ContentAnswer::in_parts(
            tag,
            Box::new(PageParts::new(state.clone(), content, git, (Surroundings::of_list(), pages))),
        ))
    };
    respond_with(asked, &request, &api, |_| Some(()), make).await
}
