//! `POST …/comments/{commentId}/replies`

use actix_web::HttpResponse;
use quire_domain::comments::{CommentReplyCreate, FormatQuery};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path, Query};
use crate::present::{Thread, Viewer};
use crate::state::State;
use crate::v1::comments::body::ReadBody;
use crate::v1::comments::path::CommentPath;
use crate::{present, respond};

/// Posts a reply to a comment.
pub async fn post_comment_reply(
    Caller(caller): Caller,
    Path(path): Path<CommentPath>,
    Query(query): Query<FormatQuery>,
    Json(reply): Json<CommentReplyCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let body = ReadBody::read(&state, "body", reply.body).await?;
    let (thread, shown, viewer) = state
        .transact(caller, move |tx| {
            let comment = tx.comment(path.space_id, path.of(), path.comment_id, query.format)?;
            let comment = comment.authorize(Action::CommentOnSpace)?;
            let shown = tx.post_reply(&comment, body.checked()?, query.format)?;
            Ok((Thread::from(&*comment), shown, Viewer::of(&comment)))
        })
        .await?;
    let reply = present::reply(&state.urls, thread, shown, viewer);
    respond::created(&reply.urls.location, &reply)
}
