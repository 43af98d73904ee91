//! The current user, and other users.

use quire_domain::User;
use quire_domain::inbox::{InboxEntry, InboxQuery, InboxRead};
use quire_domain::invites::OwnInvite;
use quire_domain::list::PageQuery;
use quire_domain::notifications::{Notifications, NotificationsUpdate};
use quire_domain::passkeys::{Passkey, PasskeyChallenge, PasskeyCreate, PasskeySignIn, PasskeyUpdate};
use quire_domain::policy::OwnAction;
use quire_domain::second_factors::{CodeProof, RecoveryCodes, SessionConfirmation, Totp, TotpSecret};
use quire_domain::sessions::Session;
use quire_domain::sign_in::{PasswordReset, PasswordSignIn, SignInLinkProof, SignInLinkRequest};
use quire_domain::tokens::{ApiToken, ApiTokenCreate};
use quire_domain::users::{CurrentUser, UserUpdate};

use crate::route::Access::{Own, Public, SignedIn};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::auth::{code, confirm, link, passkey, password, reset, sign_out};
    use v1::users::{get, get_own, inbox, invites, notifications, passkeys, sessions, tokens, totp, update};
    const TOKENS: Resource = Tag::User.at("/v1/user/tokens", None);
    const TOKEN: Resource = Tag::User.at("/v1/user/tokens/{tokenId}", Some(Object::ApiToken));
    const TOTP: Resource = Tag::User.at("/v1/user/totp", None);
    const PASSKEYS: Resource = Tag::User.at("/v1/user/passkeys", None);
    const PASSKEY: Resource = Tag::User.at("/v1/user/passkeys/{passkeyId}", Some(Object::Passkey));
    const SESSIONS: Resource = Tag::User.at("/v1/user/sessions", None);
    const SESSION: Resource = Tag::User.at("/v1/user/sessions/{sessionId}", Some(Object::Session));
    vec![
        Route::get(
            Tag::User.at("/v1/user", None),
            "getAuthenticatedUser",
            SignedIn,
            "Get the current user",
            get_own::get_authenticated_user,
        )
        .answers::<CurrentUser>(200),
        Route::patch(
            Tag::User.at("/v1/user", None),
            "updateAuthenticatedUser",
            Own(OwnAction::ChangeUser),
            "Update the current user",
            update::update_authenticated_user,
        )
        .body::<UserUpdate>()
        .answers::<CurrentUser>(200),
        Route::get(
            Tag::User.at("/v1/users/{userId}", None),
            "getUserById",
            SignedIn,
            "Get a user",
            get::get_user_by_id,
        )
        .answers::<User>(200),
        Route::get(
            Tag::Invites.at("/v1/user/invites", None),
            "listInvitesForAuthenticatedUser",
            SignedIn,
            "List the current user's e-mail invites",
            invites::list_invites_for_authenticated_user,
        )
        .query::<PageQuery>()
        .lists::<OwnInvite>(),
        Route::get(
            TOKENS,
            "listApiTokens",
            SignedIn,
            "List the current user's API tokens",
            tokens::list::list_api_tokens,
        )
        .query::<PageQuery>()
        .lists::<ApiToken>(),
        Route::post(
            TOKENS,
            "createApiToken",
            Own(OwnAction::IssueToken),
            "Create an API token",
            tokens::create::create_api_token,
        )
        .body::<ApiTokenCreate>()
        .answers::<ApiToken>(201),
        Route::delete(
            TOKEN,
            "deleteApiToken",
            SignedIn,
            "Revoke an API token",
            tokens::delete::delete_api_token,
        )
        .answers_nothing(),
        Route::get(
            SESSIONS,
            "listSessions",
            SignedIn,
            "List the current user's sessions",
            sessions::list::list_sessions,
        )
        .query::<PageQuery>()
        .lists::<Session>(),
        Route::delete(SESSION, "deleteSession", SignedIn, "End a session", sessions::delete::delete_session)
            .answers_nothing(),
        Route::get(
            Tag::User.at("/v1/user/inbox", None),
            "listInbox",
            SignedIn,
            "List the entries of the current user's inbox",
            inbox::list::list_inbox,
        )
        .query::<PageQuery>()
        .query::<InboxQuery>()
        .lists::<InboxEntry>(),
        Route::post(
            Tag::User.at("/v1/user/inbox/read", None),
            "markInboxRead",
            Own(OwnAction::MarkInbox),
            "Mark entries of the inbox as read",
            inbox::read::mark_inbox_read,
        )
        .body::<InboxRead>()
        .answers_nothing()
        .unaudited("it changes nothing for others"),
        Route::get(
            Tag::User.at("/v1/user/notifications", None),
            "getNotifications",
            SignedIn,
            "Get the current user's notifications by mail",
            notifications::get::get_notifications,
        )
        .answers::<Notifications>(200),
        Route::patch(
            Tag::User.at("/v1/user/notifications", None),
            "updateNotifications",
            Own(OwnAction::ChangeUser),
            "Update the current user's notifications by mail",
            notifications::update::update_notifications,
        )
        .body::<NotificationsUpdate>()
        .answers::<Notifications>(200)
        .unaudited("it changes nothing for others"),
        Route::post(
            Tag::User.at("/v1/auth/password", None),
            "signInWithPassword",
            Public,
            "Sign in with a password",
            password::sign_in_with_password,
        )
        .body::<PasswordSignIn>()
        .answers::<CurrentUser>(200),
        Route::post(
            Tag::User.at("/v1/auth/link", None),
            "mailSignInLink",
            Public,
            "Mail a link to sign in",
            link::mail_sign_in_link,
        )
        .body::<SignInLinkRequest>()
        .answers_nothing()
        .finds_by_input()
        .unaudited("it only mails a link, and must not show whether there is an account"),
        Route::post(
            Tag::User.at("/v1/auth/link/verify", None),
            "signInWithLink",
            Public,
            "Sign in with a link",
            link::sign_in_with_link,
        )
        .body::<SignInLinkProof>()
        .answers::<CurrentUser>(200),
        Route::post(
            Tag::User.at("/v1/auth/reset", None),
            "resetPassword",
            Public,
            "Set a new password with a link",
            reset::reset_password,
        )
        .body::<PasswordReset>()
        .answers::<CurrentUser>(200),
        Route::post(
            Tag::User.at("/v1/auth/code", None),
            "signInWithCode",
            Public,
            "Sign in with a second factor",
            code::sign_in_with_code,
        )
        .body::<CodeProof>()
        .answers::<CurrentUser>(200),
        Route::post(
            Tag::User.at("/v1/auth/passkey/start", None),
            "startPasskeySignIn",
            Public,
            "Start a sign-in with a passkey",
            passkey::start::start_passkey_sign_in,
        )
        .answers::<PasskeyChallenge>(200)
        .unaudited("it makes a challenge, and no one is signed in"),
        Route::post(
            Tag::User.at("/v1/auth/passkey", None),
            "signInWithPasskey",
            Public,
            "Sign in with a passkey",
            passkey::sign_in::sign_in_with_passkey,
        )
        .body::<PasskeySignIn>()
        .answers::<CurrentUser>(200),
        Route::post(
            Tag::User.at("/v1/auth/confirm", None),
            "confirmSession",
            SignedIn,
            "Prove again who the user is",
            confirm::confirm_session,
        )
        .body::<SessionConfirmation>()
        .answers_nothing(),
        Route::get(
            TOTP,
            "getTotp",
            SignedIn,
            "Get the current user's authenticator app",
            totp::get::get_totp,
        )
        .answers::<Totp>(200),
        Route::post(
            TOTP,
            "startTotp",
            SignedIn,
            "Create a secret for an authenticator app",
            totp::start::start_totp,
        )
        .answers::<TotpSecret>(200),
        Route::post(
            Tag::User.at("/v1/user/totp/confirm", None),
            "confirmTotp",
            SignedIn,
            "Enable an authenticator app",
            totp::confirm::confirm_totp,
        )
        .body::<CodeProof>()
        .answers::<RecoveryCodes>(200),
        Route::delete(TOTP, "deleteTotp", SignedIn, "Remove an authenticator app", totp::delete::delete_totp)
            .answers_nothing(),
        Route::get(
            PASSKEYS,
            "listPasskeys",
            SignedIn,
            "List the current user's passkeys",
            passkeys::list::list_passkeys,
        )
        .query::<PageQuery>()
        .lists::<Passkey>(),
        Route::post(
            Tag::User.at("/v1/user/passkeys/start", None),
            "startPasskey",
            SignedIn,
            "Start to register a passkey",
            passkeys::start::start_passkey,
        )
        .answers::<PasskeyChallenge>(200),
        Route::post(
            PASSKEYS,
            "createPasskey",
            SignedIn,
            "Register a passkey",
            passkeys::create::create_passkey,
        )
        .body::<PasskeyCreate>()
        .answers::<Passkey>(201),
        Route::patch(
            PASSKEY,
            "updatePasskey",
            Own(OwnAction::ChangeUser),
            "Rename a passkey",
            passkeys::update::update_passkey,
        )
        .body::<PasskeyUpdate>()
        .answers::<Passkey>(200),
        Route::delete(
            PASSKEY,
            "deletePasskey",
            SignedIn,
            "Remove a passkey",
            passkeys::delete::delete_passkey,
        )
        .answers_nothing(),
        Route::post(
            Tag::User.at("/v1/auth/sign-out", None),
            "signOut",
            SignedIn,
            "Sign out",
            sign_out::sign_out,
        )
        .answers_nothing(),
    ]
}
