//! Users: the caller's own, and others.

use quire_domain::User;
use quire_domain::invites::OwnInvite;
use quire_domain::list::PageQuery;
use quire_domain::tokens::{ApiToken, ApiTokenCreate};
use quire_domain::users::CurrentUser;

use crate::route::Access::SignedIn;
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::user::{find, get, invites, tokens};
    const TOKENS: &str = "/v1/user/tokens";
    const TOKEN: &str = "/v1/user/tokens/{tokenId}";
    vec![
        Route::get("/v1/user", "getAuthenticatedUser", SignedIn, "Get yourself", get::handle)
            .answers::<CurrentUser>(200),
        Route::get("/v1/users/{userId}", "getUserById", SignedIn, "Get a user", find::handle)
            .answers::<User>(200),
        Route::get(
            "/v1/user/invites",
            "listInvitesForAuthenticatedUser",
            SignedIn,
            "List invites to your address",
            invites::handle,
        )
        .query::<PageQuery>()
        .lists::<OwnInvite>(),
        Route::get(TOKENS, "listApiTokens", SignedIn, "List your tokens", tokens::list::handle)
            .query::<PageQuery>()
            .lists::<ApiToken>(),
        Route::post(TOKENS, "createApiToken", SignedIn, "Make a token", tokens::create::handle)
            .body::<ApiTokenCreate>()
            .answers::<ApiToken>(201),
        Route::delete(TOKEN, "deleteApiToken", SignedIn, "Revoke a token", tokens::delete::handle)
            .answers_nothing(),
    ]
}
