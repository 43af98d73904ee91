//! `DELETE …/comments/{commentId}/replies/{commentReplyId}`

use actix_web::HttpResponse;
use quire_domain::documents::Format;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;
use crate::v1::comments::path::ReplyPath;

/// Deletes a reply. Allowed for its author and administrators.
pub async fn delete_comment_reply(
    Caller(caller): Caller,
    Path(path): Path<ReplyPath>,
    state: State,
) -> ApiResult<HttpResponse> {
    let ReplyPath { space_id, comment_id, comment_reply_id, .. } = path;
    state
        .transact(caller, move |tx| {
            let reply =
                tx.comment_reply(space_id, path.of(), comment_id, comment_reply_id, Format::Markdown)?;
            Ok(tx.delete_reply(&reply.authorize(Action::DeleteComment)?)?)
        })
        .await?;
    Ok(respond::no_content())
}
