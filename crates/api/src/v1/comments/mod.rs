//! Comments of spaces and of change requests: each endpoint serves both.

pub(super) mod body;
mod path;
mod replies;
mod target;

use quire_domain::comments::{
    CommentCreate, CommentListQuery, CommentQuoteCreate, CommentReplyCreate, CommentReplyListQuery,
    CommentUpdate, FormatQuery, TargetNode,
};
use quire_domain::documents::Format;
use quire_domain::members::Member;
use quire_domain::{Comment, CommentReply};
use quire_storage::LookupFacts;
use quire_storage::content::comments::{CommentFilter, CommentedPage, CommentsOf, NewComment, ShownComment};
use quire_storage::content::store::ContentAt;
use quire_storage::door::TypedDoor;
use quire_storage::group_commit::{GroupKey, GroupKind, GroupWrite};
use quire_storage::lookup::{SpaceKey, UserRecord};
use quire_storage::optimistic::commit_draft;

use crate::prelude::*;
use crate::present::Viewer;
use crate::v1::comments::body::{ReadBody, ReadUpdate};
use crate::v1::comments::path::{CommentPath, CommentsPath};
use crate::v1::comments::replies::{
    delete_comment_reply, get_comment_reply, list_comment_replies, post_comment_reply, update_comment_reply,
};
use crate::v1::comments::target::{FoundNode, WantedNode};

/// Declares the routes of comments and replies of a space or change request: path, object, suffix of the operation ids,
/// and the actions that an update of a reply can require.
macro_rules! comment_routes {
    ($path:literal, $object:ident, $of:literal, $on_reply:expr) => {{
        const ALL: Resource = Tag::Comments.at(concat!($path, "/comments"), Some(Object::$object));
        const ONE: Resource =
            Tag::Comments.at(concat!($path, "/comments/{commentId}"), Some(Object::Comment));
        const REPLIES: Resource =
            Tag::Comments.at(concat!($path, "/comments/{commentId}/replies"), Some(Object::Comment));
        const REPLY: Resource = Tag::Comments
            .at(concat!($path, "/comments/{commentId}/replies/{commentReplyId}"), Some(Object::CommentReply));
        let (view, comment) = (Needs(Action::ViewSpace), Needs(Action::CommentOnSpace));
        let own = Needs(Action::DeleteComment);
        let (change, change_reply) = (NeedsByBody(&CommentUpdate::ACTIONS), NeedsByBody($on_reply));
        vec![
            Route::get(ALL, view, "List comments", list_comments)
                .operation(concat!("listComments", $of))
                .query::<CommentListQuery>()
                .lists::<Comment>(),
            Route::post(ALL, comment, "Post a comment", post_comment)
                .operation(concat!("postComment", $of))
                .query::<FormatQuery>()
                .body::<CommentCreate>()
                .answers::<Comment>(201),
            Route::get(ONE, view, "Get a comment", get_comment)
                .operation(concat!("getComment", $of))
                .query::<FormatQuery>()
                .answers::<Comment>(200),
            Route::put(ONE, change, "Update a comment", update_comment)
                .operation(concat!("updateComment", $of))
                .query::<FormatQuery>()
                .body::<CommentUpdate>()
                .answers::<Comment>(200),
            Route::delete(ONE, own, "Delete a comment", delete_comment)
                .operation(concat!("deleteComment", $of))
                .answers_nothing(),
            Route::get(REPLIES, view, "List replies", list_comment_replies)
                .operation(concat!("listCommentReplies", $of))
                .query::<CommentReplyListQuery>()
                .lists::<CommentReply>(),
            Route::post(REPLIES, comment, "Post a reply", post_comment_reply)
                .operation(concat!("postCommentReply", $of))
                .query::<FormatQuery>()
                .body::<CommentReplyCreate>()
                .answers::<CommentReply>(201),
            Route::get(REPLY, view, "Get a reply", get_comment_reply)
                .operation(concat!("getCommentReply", $of))
                .query::<FormatQuery>()
                .answers::<CommentReply>(200),
            Route::put(REPLY, change_reply, "Update a reply", update_comment_reply)
                .operation(concat!("updateCommentReply", $of))
                .query::<FormatQuery>()
                .body::<CommentUpdate>()
                .answers::<CommentReply>(200),
            Route::delete(REPLY, own, "Delete a reply", delete_comment_reply)
                .operation(concat!("deleteCommentReply", $of))
                .answers_nothing(),
        ]
    }};
}

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    let of_change_requests = comment_routes!(
        "/v1/spaces/{spaceId}/change-requests/{changeRequestId}",
        ChangeRequest,
        "InChangeRequest",
        &CommentUpdate::ACTIONS
    );
    let of_spaces =
        comment_routes!("/v1/spaces/{spaceId}", Space, "InSpace", &CommentUpdate::ACTIONS_ON_SPACE_REPLY);
    let commenters = Route::get(
        Tag::Comments.at("/v1/spaces/{spaceId}/commenters", None),
        Needs(Action::ViewSpace),
        "List users who commented",
        list_commenters_in_space,
    )
    .query::<PageQuery>()
    .lists::<Member>();
    of_change_requests.into_iter().chain(of_spaces).chain([commenters]).collect()
}

async fn list_comments(
    Caller(caller): Caller,
    Path(path): Path<CommentsPath>,
    Query(query): Query<CommentListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let limit = query.limit();
    let CommentListQuery { page: cursor, limit: _, order, status, format, target_page, mut authors } = query;
    authors.sort_unstable();
    authors.dedup();
    let list = format!(
        "comments of {} {:?} {order:?} {status:?} {target_page:?} {authors:?}",
        path.space_id,
        path.of()
    );
    let after: Option<CommentId> = present::cursor(&list, cursor.as_deref())?;
    let filter = CommentFilter { status, page: target_page, authors, order, format };
    let (slice, viewer) = state
        .read(caller, move |reader| {
            let content = reader.content(path.space_id, path.of().into())?.authorize(Action::ViewSpace)?;
            Ok((reader.comments_of(&content, &filter, after, limit)?, Viewer::of(&content)))
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |shown| shown.comment.id,
        |shown| Ok(present::comment(&state.urls, shown, viewer)),
    )?;
    respond::ok(&request, &list)
}

async fn post_comment(
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

/// Returns the content that the caller may comment on, with the caller.
async fn writer(
    state: &State,
    caller: Credentials,
    path: CommentsPath,
) -> ApiResult<(Authorized<ContentAt>, UserRecord, LookupFacts)> {
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

/// Returns the page and the node that a comment is about.
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

async fn get_comment(
    Caller(caller): Caller,
    Path(path): Path<CommentPath>,
    Query(query): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (shown, viewer) = state
        .read(caller, move |reader| {
            let comment = reader.comment(path.space_id, path.of(), path.comment_id, query.format)?;
            let comment = comment.authorize(Action::ViewSpace)?;
            Ok((reader.show_comment(&comment)?, Viewer::of(&comment)))
        })
        .await?;
    respond::ok(&request, &present::comment(&state.urls, shown, viewer))
}

async fn update_comment(
    Caller(caller): Caller,
    Path(path): Path<CommentPath>,
    Query(query): Query<FormatQuery>,
    OptionalJson(update): OptionalJson<CommentUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let mut is_first = true;
    let draft = || {
        let (is_first, update, state) = (std::mem::take(&mut is_first), update.clone(), &state);
        async move {
            // The first transaction found that documents must be compared, so they are compared before the second one.
            if !is_first {
                let show = move |reader: &mut Reader<'_>| {
                    let comment = reader.comment(path.space_id, path.of(), path.comment_id, query.format)?;
                    let comment = comment.authorize(Action::ViewSpace)?;
                    Ok(reader.show_comment(&comment).map(drop)?)
                };
                state.read(caller, show).await?;
            }
            ReadUpdate::read(state, update).await
        }
    };
    let change = |update: ReadUpdate| {
        let (urls, if_match) = (state.urls.clone(), if_match.clone());
        state.transact(caller, move |tx| {
            let found = tx.comment(path.space_id, path.of(), path.comment_id, query.format)?;
            let comment = found.authorize_all(update.actions.iter().chain(&update.resolving))?;
            let changes = update.checked()?;
            let comment = tx.lock_comment(comment, query.format)?;
            let viewer = Viewer::of(&comment);
            if_match.check_with(|| Ok(present::comment(&urls, tx.show_comment(&comment)?, viewer)))?;
            tx.update_comment(&comment, &changes)?;
            let comment = tx.read_again(comment, query.format)?;
            Ok((tx.show_comment(&comment)?, viewer))
        })
    };
    let (shown, viewer) = commit_draft(draft, change).await?;
    respond::changed(&present::comment(&state.urls, shown, viewer))
}

async fn delete_comment(
    Caller(caller): Caller,
    Path(path): Path<CommentPath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let comment = tx.comment(path.space_id, path.of(), path.comment_id, Format::Markdown)?;
            let comment = comment.authorize(Action::DeleteComment)?;
            Ok(tx.delete_comment(comment)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn list_commenters_in_space(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<UserId>::new(format!("commenters of {space}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewSpace)?;
            Ok(reader.commenters_of(&space, after, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |member| member.id,
        |member| Ok(present::member(&state.urls, &member, false)),
    )
}
