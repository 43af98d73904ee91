//! Views of records with the users to whom they refer.

pub(crate) use quire_domain::views::{comment_details, reply_details, review_details, reviewer_details};

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
