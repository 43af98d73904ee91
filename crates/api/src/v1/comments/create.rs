//! `POST /v1/spaces/{spaceId}/comments`, `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments`

use std::sync::{Arc, Mutex};

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::comments::{CommentCreate, FormatQuery};
use quire_domain::documents::Format;
use quire_domain::policy::Action;
use quire_server::middleware::scope::RequestScope;
use quire_storage::comments::{NewComment, ShownComment};
use quire_storage::group_commit::Write;
use quire_storage::lookup::{Authorized, ContentAt};
use quire_storage::{Known, Tx};

use super::body::ReadBody;
use super::path::CommentsPath;
use super::target::{self, FoundNode};
use crate::error::{ApiError, ApiResult};
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
    let (content, page, node, known) = state
        .read(caller, move |reader| {
            let content =
                reader.content(path.space_id, path.of().into())?.authorize(Action::CommentOnSpace)?;
            let page = page.map(|page| target::page(reader, &content, page)).transpose()?;
            let node = node.as_ref().map(|key| target::node(reader, &content, page.as_ref(), key, &found));
            Ok((content, page, node.transpose()?, reader.known()))
        })
        .await?;
    let comment = NewComment { body: body.checked()?, page, node, review: None };
    let viewer = Viewer::of(&content);
    let shown = commit(&state, (content, known), comment, query.format).await?;
    let comment = present::comment(&state.urls, shown, viewer);
    respond::created(&comment.urls.location, &comment)
}

/// Posts an authorized comment together with others that wait for the same counter.
async fn commit(
    state: &State,
    (content, known): (Authorized<ContentAt>, Known),
    comment: NewComment,
    format: Format,
) -> ApiResult<ShownComment> {
    let change = RequestScope::current().defer();
    let posted = Arc::new(Mutex::new(None));
    let (head, slot) = (content.head_key(), Arc::clone(&posted));
    let post = move |tx: &mut Tx<'_>| {
        let shown = tx.post_comment(&content, comment.clone(), format)?;
        if let Some(change) = &change {
            tx.audit(change);
        }
        // If the group is rolled back, the comment is posted again with another id.
        if let Ok(mut slot) = slot.lock() {
            *slot = Some(shown);
        }
        Ok(())
    };
    state.commit_grouped(head, Write::new(known, post)).await?;
    let posted = posted.lock().ok().and_then(|mut posted| posted.take());
    posted.ok_or_else(|| ApiError::internal(anyhow::anyhow!("a comment was not posted")))
}
