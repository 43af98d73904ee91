//! The caller's inbox, and notifications by mail.

use quire_domain::inbox::{InboxEntry, InboxQuery, InboxRead};
use quire_domain::notifications::{Notifications, NotificationsUpdate};

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::User.at("/v1/user/inbox", None),
            SignedIn,
            "List the entries of the current user's inbox",
            list_inbox,
        )
        .query::<PageQuery>()
        .query::<InboxQuery>()
        .lists::<InboxEntry>(),
        Route::post(
            Tag::User.at("/v1/user/inbox/read", None),
            Own(OwnAction::MarkInbox),
            "Mark entries of the inbox as read",
            mark_inbox_read,
        )
        .body::<InboxRead>()
        .answers_nothing()
        .unaudited("it changes nothing for others"),
        Route::get(
            Tag::User.at("/v1/user/notifications", None),
            SignedIn,
            "Get the current user's notifications by mail",
            get_notifications,
        )
        .answers::<Notifications>(200),
        Route::patch(
            Tag::User.at("/v1/user/notifications", None),
            Own(OwnAction::ChangeUser),
            "Update the current user's notifications by mail",
            update_notifications,
        )
        .body::<NotificationsUpdate>()
        .answers::<Notifications>(200)
        .unaudited("it changes nothing for others"),
    ]
}

async fn list_inbox(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    Query(InboxQuery { unread }): Query<InboxQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<InboxEntryId>::new(if unread { "unread inbox" } else { "inbox" }, &query)?;
    let (after, limit) = list.position();
    let slice = state.read(caller, move |reader| Ok(reader.own_inbox(unread, after, limit)?)).await?;
    let urls = &state.urls;
    list.respond(&request, slice, |entry| entry.id, |entry| Ok(present::inbox_entry(urls, entry)))
}

async fn mark_inbox_read(
    Caller(caller): Caller,
    Json(InboxRead { entries }): Json<InboxRead>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    if_match.check_untagged()?;
    state
        .transact(caller, move |tx| {
            if !tx.own_account()?.limits.allow_own(OwnAction::MarkInbox) {
                return Err(ApiError::new(Reason::Forbidden));
            }
            Ok(tx.mark_inbox_read(entries.as_deref())?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn get_notifications(
    Caller(caller): Caller,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let notifications = state.read(caller, |reader| Ok(reader.own_notifications()?)).await?;
    respond::ok(&request, &notifications)
}

async fn update_notifications(
    Caller(caller): Caller,
    Json(update): Json<NotificationsUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let notifications = state
        .transact(caller, move |tx| {
            let account = tx.own_account()?;
            if !account.limits.allow_own(OwnAction::ChangeUser) {
                return Err(ApiError::new(Reason::Forbidden));
            }
            tx.lock_own_user(account.actor)?;
            if_match.check_with(|| Ok(tx.own_notifications()?))?;
            tx.update_own_notifications(update)?;
            Ok(tx.own_notifications()?)
        })
        .await?;
    respond::changed(&notifications)
}
