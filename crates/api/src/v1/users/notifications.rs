//! The caller's notifications by mail.

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::error::Reason;
use quire_domain::notifications::{Notifications, NotificationsUpdate};
use quire_domain::policy::OwnAction;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json};
use crate::preconditions::IfMatch;
use crate::respond;
use crate::route::Access::{Own, SignedIn};
use crate::route::{Route, Tag};
use crate::state::State;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
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
