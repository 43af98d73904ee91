//! `GET /v1/user/inbox`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::InboxEntryId;
use quire_domain::inbox::InboxQuery;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the entries of the caller's inbox whose spaces the caller may see, newest first.
pub async fn list_inbox(
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
