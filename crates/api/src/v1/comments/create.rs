//! `POST /v1/spaces/{spaceId}/comments`, `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments`

use std::sync::Arc;

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::comments::{CommentCreate, CommentQuoteCreate, FormatQuery, TargetNode};
use quire_domain::ids::PageId;
use quire_domain::policy::Action;
use quire_storage::comments::{CommentedPage, NewComment, ShownComment};
use quire_storage::group_commit::{GroupKey, GroupKind, GroupWrite};
use quire_storage::lookup::{Authorized, CommentsOf, ContentAt, Credentials, SpaceKey, UserRecord};
use quire_storage::{Known, Reader, Tx};

use super::body::ReadBody;
use super::path::CommentsPath;
use super::target::{self, FoundNode, WantedNode};
use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path, Query};
use crate::present::Viewer;
use crate::state::State;
use crate::{present, respond};

/// Posts a comment on the current content, optionally on one of its pages and nodes.
pub async fn post_comment(
    Caller(caller): Caller,
    Path(path): Path<CommentsPath>,
    Query(query): Query<FormatQuery>,
    Json(comment): Json<CommentCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let CommentCreate { body, page, node, quote } = comment;
    let quote = match quote {
        Some(CommentQuoteCreate { text, offset }) => {
            let near = usize::try_from(offset.unwrap_or_default()).unwrap_or(usize::MAX);
            Some((text.into_text()?, near))
        }
        None => None,
    };
    if quote.is_some() && node.is_none() {
        return Err(target::quote_without_node());
    }
    let node = node.into_text()?.map(|key| WantedNode { key, quote });
    let found = match (page, &node) {
        (Some(page), Some(node)) => FoundNode::look_up(&state, caller, path, page, node).await?,
        _ => None,
    };
    let body = ReadBody::read(&state, "body", body).await?;
    let (content, poster, known) = writer(&state, caller, path).await?;
    let (page, node) = match page {
        Some(page) => target_of(&state, caller, &content, (page, node), found).await?,
        None if node.is_some() => return Err(target::node_without_page()),
        None => (None, None),
    };
    let comment = NewComment { body: body.checked()?, page, node, review: None };
    let viewer = Viewer::of(&content);
    let key = GroupKey { kind: GroupKind::Comments, head: content.head_key() };
    let format = query.format;
    let work = move |tx: &mut Tx<'_>| -> ApiResult<ShownComment> {
        Ok(tx.post_comment(&content, poster.clone(), comment.clone(), format)?)
    };
    let write = GroupWrite { known, documents: Arc::default(), work };
    let shown = state.commit_in_group(key, write).await?;
    let comment = present::comment(&state.urls, shown, viewer);
    respond::created(&comment.urls.location, &comment)
}

/// The content that the caller may comment on, and the caller.
async fn writer(
    state: &State,
    caller: Credentials,
    path: CommentsPath,
) -> ApiResult<(Authorized<ContentAt>, UserRecord, Known)> {
    let space = path.space_id;
    if let CommentsOf::Space = path.of() {
        let (found, known) = state.content_to_write(SpaceKey { credentials: caller, space }).await?;
        let (content, poster) = found.authorize(Action::CommentOnSpace)?.split();
        return Ok((content, poster, known));
    }
    let look = move |reader: &mut Reader<'_>| {
        let content = reader.content(space, path.of().into())?.authorize(Action::CommentOnSpace)?;
        let poster = reader.user_of(&content)?;
        Ok((content, poster, reader.known()))
    };
    state.read(caller, look).await
}

/// The page and the node that a comment is about.
async fn target_of(
    state: &State,
    caller: Credentials,
    content: &Authorized<ContentAt>,
    (page, node): (PageId, Option<WantedNode>),
    found: Option<FoundNode>,
) -> ApiResult<(Option<CommentedPage>, Option<TargetNode>)> {
    if node.is_none()
        && let Some(cached) = state.storage.cached_commented_page(content, page)
    {
        return Ok((Some(target::known_page(cached)?), None));
    }
    let content = content.clone();
    let look = move |reader: &mut Reader<'_>| {
        let page = target::page(reader, &content, page)?;
        let node =
            node.as_ref().map(|node| target::node(reader, &content, &page, node, &found)).transpose()?;
        Ok((Some(page), node))
    };
    state.read(caller, look).await
}
