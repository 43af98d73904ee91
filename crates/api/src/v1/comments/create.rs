//! `POST /v1/spaces/{spaceId}/comments`, `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::comments::{CommentCreate, FormatQuery};
use quire_domain::policy::Action;
use quire_storage::comments::NewComment;

use super::body::ReadBody;
use super::path::CommentsPath;
use super::target::{self, FoundNode};
use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path, Query};
use crate::present::Viewer;
use crate::state::State;
use crate::{present, respond};

/// A new comment, on a page and node of the current content or on none.
pub async fn post_comment(
    Caller(caller): Caller,
    Path(path): Path<CommentsPath>,
    Query(query): Query<FormatQuery>,
    Json(comment): Json<CommentCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let CommentCreate { body, page, node } = comment;
    let node = node.into_text()?;
    let found = match (page, &node) {
        (Some(page), Some(node)) => FoundNode::look_up(&state, caller, path, page, node).await?,
        _ => None,
    };
    let body = ReadBody::read(&state, "body", body).await?;
    let (shown, viewer) = state
        .transact(caller, move |tx| {
            let content = tx.content(path.space_id, path.of().into())?.authorize(Action::CommentOnSpace)?;
            let body = body.checked()?;
            let page = page.map(|page| target::page(tx, &content, page)).transpose()?;
            let node = node.map(|node| target::node(tx, &content, page.as_ref(), node, found)).transpose()?;
            let comment = NewComment { body, page, node, review: None };
            Ok((tx.post_comment(&content, comment, query.format)?, Viewer::of(&content)))
        })
        .await?;
    let comment = present::comment(&state.urls, shown, viewer);
    respond::created(&comment.urls.location, &comment)
}
