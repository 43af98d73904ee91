//! Users: the caller's own, and others.

use quire_domain::User;
use quire_domain::invites::OwnInvite;
use quire_domain::list::PageQuery;
use quire_domain::tokens::{ApiToken, ApiTokenCreate};
use quire_domain::users::CurrentUser;

use super::{delete, get, post};
use crate::route::Access::SignedIn;
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::user::{find, get as read, invites, tokens};
    const TOKENS: &str = "/v1/user/tokens";
    const TOKEN: &str = "/v1/user/tokens/{tokenId}";
    vec![
        get("/v1/user", "getAuthenticatedUser", SignedIn, "Get yourself", read::handle)
            .answers::<CurrentUser>(200),
        get("/v1/users/{userId}", "getUserById", SignedIn, "Get a user", find::handle).answers::<User>(200),
        get(
            "/v1/user/invites",
            "listInvitesForAuthenticatedUser",
            SignedIn,
            "List invites to your address",
            invites::handle,
        )
        .query::<PageQuery>()
        .lists::<OwnInvite>(),
        get(TOKENS, "listApiTokens", SignedIn, "List your tokens", tokens::list::handle)
            .query::<PageQuery>()
            .lists::<ApiToken>(),
        post(TOKENS, "createApiToken", SignedIn, "Make a token", tokens::create::handle)
            .body::<ApiTokenCreate>()
            .answers::<ApiToken>(201),
        delete(TOKEN, "deleteApiToken", SignedIn, "Revoke a token", tokens::delete::handle).answers_nothing(),
    ]
}
