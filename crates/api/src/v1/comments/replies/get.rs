//! `GET …/comments/{commentId}/replies/{commentReplyId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::comments::FormatQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::present::{Thread, Viewer};
use crate::state::State;
use crate::v1::comments::path::ReplyPath;
use crate::{present, respond};

/// Returns a reply.
pub async fn get_comment_reply(
    Caller(caller): Caller,
    Path(path): Path<ReplyPath>,
    Query(query): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let ReplyPath { space_id, comment_id, comment_reply_id, .. } = path;
    let (thread, shown, viewer) = state
        .read(caller, move |reader| {
            let reply =
                reader.comment_reply(space_id, path.of(), comment_id, comment_reply_id, query.format)?;
            let reply = reply.authorize(Action::ViewSpace)?;
            Ok((Thread::from(&*reply), reader.show_reply(&reply)?, Viewer::of(&reply)))
        })
        .await?;
    respond::ok(&request, &present::reply(&state.urls, thread, shown, viewer))
}
