//! `POST /v1/user/inbox/read`

use actix_web::HttpResponse;
use quire_domain::error::Reason;
use quire_domain::inbox::InboxRead;
use quire_domain::policy::OwnAction;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json};
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;

/// Marks entries of the caller's inbox as read: those named, or all.
pub async fn mark_inbox_read(
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
