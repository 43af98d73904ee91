//! Comments and replies.

use quire_domain::comments::{
    CommentCreate, CommentListQuery, CommentReplyCreate, CommentReplyListQuery, CommentUpdate, FormatQuery,
};
use quire_domain::list::PageQuery;
use quire_domain::members::Member;
use quire_domain::policy::Action;
use quire_domain::{Comment, CommentReply};

use crate::route::Access::{Needs, NeedsByBody};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

/// Routes of comments and replies of a space or change request: path, object, suffix of the operation ids, and the
/// actions that an update of a reply can require.
macro_rules! comment_routes {
    ($path:literal, $object:ident, $of:literal, $on_reply:expr) => {{
        use v1::comments::{create, delete, get, list, replies, update};
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
            Route::get(ALL, concat!("listComments", $of), view, "List comments", list::list_comments)
                .query::<CommentListQuery>()
                .lists::<Comment>(),
            Route::post(ALL, concat!("postComment", $of), comment, "Post a comment", create::post_comment)
                .query::<FormatQuery>()
                .body::<CommentCreate>()
                .answers::<Comment>(201),
            Route::get(ONE, concat!("getComment", $of), view, "Get a comment", get::get_comment)
                .query::<FormatQuery>()
                .answers::<Comment>(200),
            Route::put(
                ONE,
                concat!("updateComment", $of),
                change,
                "Update a comment",
                update::update_comment,
            )
            .query::<FormatQuery>()
            .body::<CommentUpdate>()
            .answers::<Comment>(200),
            Route::delete(
                ONE,
                concat!("deleteComment", $of),
                own,
                "Delete a comment",
                delete::delete_comment,
            )
            .answers_nothing(),
            Route::get(
                REPLIES,
                concat!("listCommentReplies", $of),
                view,
                "List replies",
                replies::list::list_comment_replies,
            )
            .query::<CommentReplyListQuery>()
            .lists::<CommentReply>(),
            Route::post(
                REPLIES,
                concat!("postCommentReply", $of),
                comment,
                "Post a reply",
                replies::create::post_comment_reply,
            )
            .query::<FormatQuery>()
            .body::<CommentReplyCreate>()
            .answers::<CommentReply>(201),
            Route::get(
                REPLY,
                concat!("getCommentReply", $of),
                view,
                "Get a reply",
                replies::get::get_comment_reply,
            )
            .query::<FormatQuery>()
            .answers::<CommentReply>(200),
            Route::put(
                REPLY,
                concat!("updateCommentReply", $of),
                change_reply,
                "Update a reply",
                replies::update::update_comment_reply,
            )
            .query::<FormatQuery>()
            .body::<CommentUpdate>()
            .answers::<CommentReply>(200),
            Route::delete(
                REPLY,
                concat!("deleteCommentReply", $of),
                own,
                "Delete a reply",
                replies::delete::delete_comment_reply,
            )
            .answers_nothing(),
        ]
    }};
}

pub(super) fn routes() -> Vec<Route> {
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
        "listCommentersInSpace",
        Needs(Action::ViewSpace),
        "List users who commented",
        v1::spaces::commenters::list_commenters_in_space,
    )
    .query::<PageQuery>()
    .lists::<Member>();
    of_change_requests.into_iter().chain(of_spaces).chain([commenters]).collect()
}
