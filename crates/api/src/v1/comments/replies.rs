//! Replies to comments of spaces and of change requests: each endpoint serves both.

use quire_domain::comments::{CommentReplyCreate, CommentReplyListQuery, CommentUpdate, FormatQuery};
use quire_domain::documents::Format;
use quire_storage::content::comments::CommentsOf;

use super::body::{ReadBody, ReadUpdate};
use super::path::{CommentPath, ReplyPath};
use crate::prelude::*;
use crate::present::{Thread, Viewer};

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
