//! The caller's inbox.

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::error::Reason;
use quire_domain::ids::InboxEntryId;
use quire_domain::inbox::{InboxEntry, InboxQuery, InboxRead};
use quire_domain::list::PageQuery;
use quire_domain::policy::OwnAction;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Query};
use crate::listing::Listing;
use crate::preconditions::IfMatch;
use crate::route::Access::{Own, SignedIn};
use crate::route::{Route, Tag};
use crate::state::State;
use crate::{present, respond};

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
