//! `PUT …/comments/{commentId}/replies/{commentReplyId}`

use actix_web::HttpResponse;
use quire_domain::comments::{CommentUpdate, FormatQuery};
use quire_storage::lookup::CommentsOf;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path, Query};
use crate::preconditions::IfMatch;
use crate::present::{Thread, Viewer};
use crate::state::State;
use crate::v1::comments::body::ReadUpdate;
use crate::v1::comments::path::ReplyPath;
use crate::{present, respond};

/// Adds and removes reactions, and edits the text, which only the author and administrators may. In a change request it
/// also resolves the comment.
pub async fn update_comment_reply(
    Caller(caller): Caller,
    Path(path): Path<ReplyPath>,
    Query(query): Query<FormatQuery>,
    OptionalJson(update): OptionalJson<CommentUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let update = if path.of() == CommentsOf::Space { update.on_space_reply() } else { update };
    let ReplyPath { space_id, comment_id, comment_reply_id, .. } = path;
    let update = ReadUpdate::read(&state, update).await?;
    let urls = state.urls.clone();
    let (thread, shown, viewer) = state
        .transact(caller, move |tx| {
            let found = tx.comment_reply(space_id, path.of(), comment_id, comment_reply_id, query.format)?;
            let reply = found.authorize_all(&update.actions)?;
            if let Some(action) = update.resolving {
                let comment = tx.comment(space_id, path.of(), comment_id, query.format)?;
                let _ = comment.authorize(action)?;
            }
            let changes = update.checked()?;
            let reply = tx.lock_reply(reply, changes.resolved.is_some(), query.format)?;
            let (thread, viewer) = (Thread::from(&*reply), Viewer::of(&reply));
            if_match.check_with(|| Ok(present::reply(&urls, thread, tx.show_reply(&reply)?, viewer)))?;
            tx.update_reply(&reply, &changes)?;
            let reply = tx.read_reply_again(reply, query.format)?;
            Ok((thread, tx.show_reply(&reply)?, viewer))
        })
        .await?;
    respond::changed(&present::reply(&state.urls, thread, shown, viewer))
}
