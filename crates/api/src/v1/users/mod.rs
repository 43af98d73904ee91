//! The current user.

pub mod identities;
pub mod inbox;
pub mod passkeys;
pub mod sessions;
pub mod tokens;
pub mod totp;

use quire_domain::User;
use quire_domain::invites::OwnInvite;
use quire_domain::users::{CurrentUser, UserUpdate};

use crate::own_user;
use crate::own_user::OwnUserUpdate;
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(Tag::User.at("/v1/user", None), SignedIn, "Get the current user", get_authenticated_user)
            .answers::<CurrentUser>(200),
        Route::patch(
            Tag::User.at("/v1/user", None),
            Own(OwnAction::ChangeUser),
            "Update the current user",
            update_authenticated_user,
        )
        .body::<UserUpdate>()
        .answers::<CurrentUser>(200),
        Route::get(Tag::User.at("/v1/users/{userId}", None), SignedIn, "Get a user", get_user_by_id)
            .answers::<User>(200),
        Route::get(
            Tag::Invites.at("/v1/user/invites", None),
            SignedIn,
            "List the current user's e-mail invites",
            list_invites_for_authenticated_user,
        )
        .query::<PageQuery>()
        .lists::<OwnInvite>(),
    ]
}

async fn get_authenticated_user(
    Caller(caller): Caller,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (user, created_at) = state.read(caller, |reader| Ok(reader.own_user()?)).await?;
    respond::ok(&request, &present::current_user(&state.urls, &user, created_at))
}

async fn update_authenticated_user(
    Caller(caller): Caller,
    Json(body): Json<UserUpdate>,
    if_match: IfMatch,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let UserUpdate { display_name, photo_url, password, current_password } = body;
    let update = OwnUserUpdate {
        display_name: display_name.into_text()?,
        photo_url: photo_url.into_text()?,
        password: password.into_text()?,
        current_password: current_password.into_text()?,
    };
    let urls = state.urls.clone();
    let check = move |tx: &mut Tx<'_>| {
        let (user, created_at) = tx.own_user()?;
        if_match.check_with(|| Ok(present::current_user(&urls, &user, created_at)))
    };
    own_user::update(&state, &request, caller, update, check).await?;
    let (user, created_at) = state.read(caller, |reader| Ok(reader.own_user()?)).await?;
    respond::changed(&present::current_user(&state.urls, &user, created_at))
}

async fn get_user_by_id(
    Caller(caller): Caller,
    Path(id): Path<UserId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let user = state.read(caller, move |reader| Ok(reader.user(id)?)).await?;
    respond::ok(&request, &present::user(&state.urls, &user))
}

const LIST: &str = "own invites";

async fn list_invites_for_authenticated_user(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<InviteId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let slice = state.read(caller, move |reader| Ok(reader.own_invites(after, limit)?)).await?;
    list.respond(&request, slice, |own| own.invite.id, |own| Ok(present::own_invite(own)))
}
