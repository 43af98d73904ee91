//! Views of records with the users that they name, and the joins of views with tables. See [`views`](crate::views) for
//! the reason why they are declared by hand.

use crate::schema::{change_requests, comments, organizations, revisions, spaces, users};
use crate::views::space_access;

diesel::table! {
    comment_details (space_id, id) {
        space_id -> Uuid,
        id -> Uuid,
        change_request_id -> Nullable<Uuid>,
        review_id -> Nullable<Uuid>,
        posted_by -> Nullable<Uuid>,
        posted_at -> Timestamptz,
        edited_at -> Nullable<Timestamptz>,
        markdown -> Text,
        document -> Bytea,
        target_revision -> Uuid,
        target_page -> Nullable<Uuid>,
        target_page_record -> Nullable<Jsonb>,
        target_document -> Nullable<Bytea>,
        target_node -> Nullable<Text>,
        target_node_preview -> Nullable<Text>,
        target_node_quote -> Nullable<Jsonb>,
        status -> Text,
        resolved_at -> Nullable<Timestamptz>,
        replies -> Int4,
        poster_id -> Nullable<Uuid>,
        poster_email -> Nullable<Text>,
        poster_display_name -> Nullable<Text>,
        poster_photo_url -> Nullable<Text>,
        resolver_id -> Nullable<Uuid>,
        resolver_email -> Nullable<Text>,
        resolver_display_name -> Nullable<Text>,
        resolver_photo_url -> Nullable<Text>,
    }
}

diesel::table! {
    reply_details (space_id, id) {
        space_id -> Uuid,
        comment_id -> Uuid,
        id -> Uuid,
        posted_at -> Timestamptz,
        edited_at -> Nullable<Timestamptz>,
        markdown -> Text,
        document -> Bytea,
        poster_id -> Nullable<Uuid>,
        poster_email -> Nullable<Text>,
        poster_display_name -> Nullable<Text>,
        poster_photo_url -> Nullable<Text>,
    }
}

diesel::table! {
    review_details (space_id, id) {
        space_id -> Uuid,
        change_request_id -> Uuid,
        id -> Uuid,
        revision_id -> Uuid,
        status -> Text,
        created_at -> Timestamptz,
        reviewer_id -> Nullable<Uuid>,
        reviewer_email -> Nullable<Text>,
        reviewer_display_name -> Nullable<Text>,
        reviewer_photo_url -> Nullable<Text>,
        requester_id -> Nullable<Uuid>,
        requester_email -> Nullable<Text>,
        requester_display_name -> Nullable<Text>,
        requester_photo_url -> Nullable<Text>,
    }
}

diesel::table! {
    reviewer_details (space_id, change_request_id, reviewer_id) {
        space_id -> Uuid,
        change_request_id -> Uuid,
        reviewer_id -> Uuid,
        is_team -> Bool,
        revision_id -> Uuid,
        created_at -> Timestamptz,
        user_id -> Nullable<Uuid>,
        user_email -> Nullable<Text>,
        user_display_name -> Nullable<Text>,
        user_photo_url -> Nullable<Text>,
        requester_id -> Nullable<Uuid>,
        requester_email -> Nullable<Text>,
        requester_display_name -> Nullable<Text>,
        requester_photo_url -> Nullable<Text>,
    }
}

/// Declares the columns of a [`UserRecord`](crate::lookup::UserRecord) in a view.
macro_rules! user_in_view {
    ($($type:ident $constant:ident: $view:ident($id:ident, $email:ident, $display_name:ident, $photo_url:ident);)*) => {$(
        pub(crate) type $type = ($view::$id, $view::$email, $view::$display_name, $view::$photo_url);
        pub(crate) const $constant: $type = ($view::$id, $view::$email, $view::$display_name, $view::$photo_url);
    )*};
}

user_in_view! {
    CommentPoster COMMENT_POSTER:
        comment_details(poster_id, poster_email, poster_display_name, poster_photo_url);
    CommentResolver COMMENT_RESOLVER:
        comment_details(resolver_id, resolver_email, resolver_display_name, resolver_photo_url);
    ReplyPoster REPLY_POSTER: reply_details(poster_id, poster_email, poster_display_name, poster_photo_url);
    ReviewAuthor REVIEW_AUTHOR:
        review_details(reviewer_id, reviewer_email, reviewer_display_name, reviewer_photo_url);
    ReviewRequester REVIEW_REQUESTER:
        review_details(requester_id, requester_email, requester_display_name, requester_photo_url);
    RequestedUser REQUESTED_USER:
        reviewer_details(user_id, user_email, user_display_name, user_photo_url);
    ReviewerRequester REVIEWER_REQUESTER:
        reviewer_details(requester_id, requester_email, requester_display_name, requester_photo_url);
}

diesel::allow_tables_to_appear_in_same_query!(space_access, change_requests);
diesel::allow_tables_to_appear_in_same_query!(space_access, comment_details);
diesel::allow_tables_to_appear_in_same_query!(space_access, comments);
diesel::allow_tables_to_appear_in_same_query!(space_access, organizations);
diesel::allow_tables_to_appear_in_same_query!(space_access, reply_details);
diesel::allow_tables_to_appear_in_same_query!(space_access, revisions);
diesel::allow_tables_to_appear_in_same_query!(space_access, users);
diesel::allow_tables_to_appear_in_same_query!(comment_details, change_requests);
diesel::allow_tables_to_appear_in_same_query!(comment_details, revisions);
diesel::allow_tables_to_appear_in_same_query!(comment_details, spaces);
diesel::allow_tables_to_appear_in_same_query!(reply_details, change_requests);
diesel::allow_tables_to_appear_in_same_query!(reply_details, comments);
diesel::allow_tables_to_appear_in_same_query!(reply_details, spaces);
