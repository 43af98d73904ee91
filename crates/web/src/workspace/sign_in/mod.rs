//! Sign-in and account pages. Their forms work without scripts, except for passkeys.

mod account;
mod account_sections;
mod code;
mod confirm;
mod factor;
mod failed;
mod form;
mod frame;
mod invite;
mod link;
mod next;
mod notifications;
mod offered;
mod own_passkeys;
mod passkeys;
mod password;
mod reset;
mod unsubscribe;
mod ways;
mod welcome;

use actix_web::http::Method;
use quire_server::audit_rule::{PathObject, Recording};
use quire_server::routing::{BoxedHandler, Ending, Endpoint};

pub use welcome::url as welcome_url;

/// Invite in a path. The audit log must not record the id of an invite link, which is sufficient to join.
const INVITE: PathObject = PathObject { kind: "invite", parameter: "inviteId", in_link: true };
const SECRET: PathObject = PathObject { kind: "link", parameter: "secret", in_link: true };
const PROVIDER: PathObject =
    PathObject { kind: "oidc-provider", parameter: "oidcProviderId", in_link: false };
const PASSKEY: PathObject = PathObject { kind: "passkey", parameter: "passkeyId", in_link: false };
const SAML_PROVIDER: PathObject =
    PathObject { kind: "saml-provider", parameter: "samlProviderId", in_link: false };
const SESSION: PathObject = PathObject { kind: "session", parameter: "sessionId", in_link: false };
const TOKEN: PathObject = PathObject { kind: "api-token", parameter: "tokenId", in_link: false };

/// Returns the routes of these pages.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/~/sign-in", BoxedHandler::new(ways::show)),
        post("/~/sign-in", "signInWithPassword", None, BoxedHandler::new(password::submit)),
        get("/~/sign-in/code", BoxedHandler::new(code::show)),
        post("/~/sign-in/code", "signInWithCode", None, BoxedHandler::new(code::submit)),
        get("/~/confirm", BoxedHandler::new(confirm::show)),
        post("/~/confirm", "confirmSession", None, BoxedHandler::new(confirm::submit)),
        request("/~/sign-in/ways", BoxedHandler::new(ways::choose)),
        get("/~/sign-in/failed", BoxedHandler::new(failed::show)),
        get("/~/welcome/{secret}", BoxedHandler::new(welcome::show)),
        post("/~/welcome/{secret}", "createOrganization", Some(SECRET), BoxedHandler::new(welcome::submit)),
        request("/~/sign-in/link", BoxedHandler::new(link::mail)),
        get("/~/link/{secret}", BoxedHandler::new(link::show)),
        post("/~/link/{secret}", "signInWithLink", Some(SECRET), BoxedHandler::new(link::submit)),
        get("/~/reset", BoxedHandler::new(reset::ask)),
        request("/~/reset", BoxedHandler::new(reset::mail)),
        get("/~/reset/{secret}", BoxedHandler::new(reset::show)),
        post("/~/reset/{secret}", "resetPassword", Some(SECRET), BoxedHandler::new(reset::submit)),
        get("/~/invite/{inviteId}", BoxedHandler::new(invite::show)),
        post(
            "/~/invite/{inviteId}",
            "joinOrganizationWithInvite",
            Some(INVITE),
            BoxedHandler::new(invite::accept),
        ),
        post(
            "/~/invite/{inviteId}/register",
            "registerWithInvite",
            Some(INVITE),
            BoxedHandler::new(invite::register),
        ),
        get("/~/account", BoxedHandler::new(account::show)),
        post("/~/account", "updateAuthenticatedUser", None, BoxedHandler::new(account::update)),
        request("/~/account/notifications", BoxedHandler::new(account::update_notifications)),
        get("/~/unsubscribe/{token}", BoxedHandler::new(unsubscribe::show)),
        request("/~/unsubscribe/{token}", BoxedHandler::new(unsubscribe::submit)),
        post("/~/account/sign-out", "signOut", None, BoxedHandler::new(account::sign_out)),
        post("/~/account/tokens", "createApiToken", None, BoxedHandler::new(account::create_token)),
        post("/~/account/totp", "startTotp", None, BoxedHandler::new(factor::start)),
        post("/~/account/totp/confirm", "confirmTotp", None, BoxedHandler::new(factor::confirm)),
        post("/~/account/totp/remove", "deleteTotp", None, BoxedHandler::new(factor::remove)),
        post(
            "/~/account/passkeys/{passkeyId}",
            "updatePasskey",
            Some(PASSKEY),
            BoxedHandler::new(own_passkeys::rename),
        ),
        post(
            "/~/account/passkeys/{passkeyId}/remove",
            "deletePasskey",
            Some(PASSKEY),
            BoxedHandler::new(own_passkeys::remove),
        ),
        post(
            "/~/account/tokens/{tokenId}",
            "deleteApiToken",
            Some(TOKEN),
            BoxedHandler::new(account::revoke_token),
        ),
        post(
            "/~/account/sessions/{sessionId}",
            "deleteSession",
            Some(SESSION),
            BoxedHandler::new(account::end_session),
        ),
        post(
            "/~/account/identities/{oidcProviderId}",
            "deleteIdentity",
            Some(PROVIDER),
            BoxedHandler::new(account::disconnect),
        ),
        post(
            "/~/account/saml-identities/{samlProviderId}",
            "deleteSamlIdentity",
            Some(SAML_PROVIDER),
            BoxedHandler::new(account::disconnect_saml),
        ),
    ]
}

fn get(path: &'static str, handler: BoxedHandler) -> Endpoint {
    Endpoint { path, ending: Ending::Exact, method: Some(Method::GET), recording: None, handler }
}

/// Returns the route of a form that the audit log does not record, because it has no actor or no effect on others.
fn request(path: &'static str, handler: BoxedHandler) -> Endpoint {
    Endpoint { path, ending: Ending::Exact, method: Some(Method::POST), recording: None, handler }
}

/// Returns the route of a form that the audit log records as an operation.
fn post(
    path: &'static str,
    operation: &'static str,
    object: Option<PathObject>,
    handler: BoxedHandler,
) -> Endpoint {
    let recording = Recording { operation, object, when_done: true, when_refused: false };
    Endpoint { path, ending: Ending::Exact, method: Some(Method::POST), recording: Some(recording), handler }
}
