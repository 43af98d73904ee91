//! `PATCH /v1/user/notifications`

use actix_web::HttpResponse;
use quire_domain::error::Reason;
use quire_domain::notifications::NotificationsUpdate;
use quire_domain::policy::OwnAction;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json};
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;

/// Changes when the caller is mailed about kinds of entries of the inbox.
pub async fn update_notifications(
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
