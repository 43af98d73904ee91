//! `GET …/comments/{commentId}/replies`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::comments::CommentReplyListQuery;
use quire_domain::ids::CommentReplyId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::present::{Thread, Viewer};
use crate::state::State;
use crate::v1::comments::path::CommentPath;
use crate::{present, respond};

/// Lists the replies to a comment, newest first.
pub async fn list_comment_replies(
    Caller(caller): Caller,
    Path(path): Path<CommentPath>,
    Query(query): Query<CommentReplyListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("replies to {} of {}", path.comment_id, path.space_id);
    let below: Option<CommentReplyId> = present::cursor(&list, query.page.as_deref())?;
    let (limit, format) = (query.limit(), query.format);
    let (thread, slice, viewer) = state
        .read(caller, move |reader| {
            let comment = reader.comment(path.space_id, path.of(), path.comment_id, format)?;
            let comment = comment.authorize(Action::ViewSpace)?;
            let slice = reader.replies_to(&comment, format, below, limit)?;
            Ok((Thread::from(&*comment), slice, Viewer::of(&comment)))
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |shown| shown.reply.id,
        |shown| Ok(present::reply(&state.urls, thread, shown, viewer)),
    )?;
    respond::ok(&request, &list)
}
