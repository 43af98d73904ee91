//! `/~/account`: name, password, passkeys, identities, notifications, sessions and API tokens of the user.

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse};
use maud::html;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{OidcProviderId, OrganizationId, SamlProviderId, SessionId, TokenId};
use quire_domain::notifications::NotificationsUpdate;
use quire_domain::patch::Patch;
use quire_domain::policy::{Limits, OwnAction};
use quire_domain::texts::kinds;
use quire_server::extract::credentials;
use quire_server::own_user::{self, OwnUserUpdate};
use quire_server::second_factor::require_recent_proof;
use quire_server::{ApiError, session_cookie};
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::people::tokens::Revocation;
use serde::Deserialize;

use super::account_sections::Account;
use super::form::{Form, Problems};
use super::frame;
use super::{confirm, notifications, own_passkeys};
use crate::errors;
use crate::state::{Web, WebData};

/// Maximum number of sessions, tokens and passkeys of a user, all of which the page shows.
const SHOWN: u16 = 200;

/// Maximum number of organizations to which a token can be limited.
const MOST_ORGANIZATIONS: u16 = 100;

/// Form of the profile or the password.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Update {
    name: Option<String>,
    /// URL. Empty for none.
    photo: Option<String>,
    password: Option<String>,
    #[serde(rename = "currentPassword")]
    current_password: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenFields {
    label: String,
    /// Present if the box is ticked.
    #[serde(rename = "readOnly")]
    read_only: Option<String>,
    /// Last day of validity. Empty for no limit.
    #[serde(rename = "lastDay")]
    last_day: String,
    /// Other fields: `organization.` and an id for each ticked organization.
    #[serde(flatten)]
    others: HashMap<String, String>,
}

impl TokenFields {
    /// Returns the ticked organizations. `None` without any, for all organizations.
    fn organizations(&self, problems: &mut Problems) -> Option<Vec<OrganizationId>> {
        let ids = self.others.keys().filter_map(|name| name.strip_prefix("organization."));
        let ids: Result<Vec<OrganizationId>, _> = ids.map(str::parse).collect();
        if ids.is_err() {
            problems.add("organizations", "must be organizations of yours");
        }
        ids.ok().filter(|ids| !ids.is_empty())
    }
}

/// Form without fields.
#[derive(Deserialize)]
pub(super) struct Confirmation {}

/// Message above the page.
enum Notice {
    Saved,
    /// New token, which is shown only once.
    Token(String),
}

/// `GET /~/account`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return frame::sign_in_to_account(&web) };
    page(&web, caller, &Problems::default(), None).await
}

/// `POST /~/account`
pub(super) async fn update(request: HttpRequest, web: WebData, Form(form): Form<Update>) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return frame::sign_in_to_account(&web) };
    match save(&request, &web, caller, form).await {
        Ok(()) => page(&web, caller, &Problems::default(), Some(Notice::Saved)).await,
        Err(problems) => page(&web, caller, &problems, None).await,
    }
}

/// `POST /~/account/sign-out`
pub(super) async fn sign_out(
    request: HttpRequest,
    web: WebData,
    Form(Confirmation {}): Form<Confirmation>,
) -> HttpResponse {
    if let Some(caller) = credentials(&request) {
        let end = |tx: &mut Tx<'_>| {
            let actor = tx.own_actor()?;
            Ok::<_, ApiError>(tx.sign_out(actor)?)
        };
        match web.state.transact(caller, end).await {
            Ok(_) => {}
            Err(error) if error.reason() == Reason::Unauthenticated => {}
            Err(error) => return errors::failed(&error),
        }
    }
    let mut response = frame::sign_in_to_account(&web);
    session_cookie::add(&mut response, &session_cookie::remove(&web.state.settings.base_url));
    response
}

/// `POST /~/account/notifications`
pub(super) async fn update_notifications(
    request: HttpRequest,
    web: WebData,
    Form(update): Form<NotificationsUpdate>,
) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return frame::sign_in_to_account(&web) };
    let change = move |tx: &mut Tx<'_>| {
        if !tx.own_account()?.limits.allow_own(OwnAction::ChangeUser) {
            return Err(ApiError::new(Reason::Forbidden));
        }
        Ok(tx.update_own_notifications(update)?)
    };
    match web.state.transact(caller, change).await {
        Ok(()) => page(&web, caller, &Problems::default(), Some(Notice::Saved)).await,
        Err(error) => page(&web, caller, &Problems::with(error), None).await,
    }
}

/// `POST /~/account/tokens`
pub(super) async fn create_token(
    request: HttpRequest,
    web: WebData,
    Form(form): Form<TokenFields>,
) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return frame::sign_in_to_account(&web) };
    let mut problems = Problems::default();
    let label = problems.read::<kinds::TokenLabel>("label", form.label.trim());
    let expires_at = match form.last_day.trim() {
        "" => None,
        day => {
            let expiry = end_of(day).filter(|end| *end > web.state.storage.clock().now());
            if expiry.is_none() {
                problems.add("lastDay", "must be today or later");
            }
            expiry
        }
    };
    let organizations = form.organizations(&mut problems);
    if let Err(problems) = problems.none() {
        return page(&web, caller, &problems, None).await;
    }
    let create = move |tx: &mut Tx<'_>| {
        let actor = tx.actor()?;
        if !actor.token_allows_own(OwnAction::IssueToken) {
            return Err(ApiError::new(Reason::Forbidden));
        }
        require_recent_proof(tx)?;
        let limits =
            Limits { read_only: form.read_only.is_some(), organizations: organizations.clone(), expires_at };
        let issued = tx.issue_own_token(actor, &label, &limits)?;
        issued.map(|(_, issued)| issued.token).map_err(|_| ApiError::new(Reason::Forbidden))
    };
    match web.state.transact(caller, create).await {
        Ok(token) => page(&web, caller, &Problems::default(), Some(Notice::Token(token))).await,
        Err(error) if error.reason() == Reason::ConfirmationRequired => {
            confirm::ask(&web, &frame::at(&web, "/~/account"))
        }
        Err(error) => page(&web, caller, &Problems::with(error), None).await,
    }
}

/// `POST /~/account/tokens/{tokenId}`
pub(super) async fn revoke_token(
    request: HttpRequest,
    web: WebData,
    Form(Confirmation {}): Form<Confirmation>,
) -> HttpResponse {
    let token: Option<TokenId> = request.match_info().get("tokenId").and_then(|id| id.parse().ok());
    let Some(token) = token else { return errors::not_found() };
    end(&request, &web, move |tx| {
        let actor = tx.own_actor()?;
        Ok(tx.revoke_own_token(actor, token)?)
    })
    .await
}

/// `POST /~/account/sessions/{sessionId}`
pub(super) async fn end_session(
    request: HttpRequest,
    web: WebData,
    Form(Confirmation {}): Form<Confirmation>,
) -> HttpResponse {
    let session: Option<SessionId> = request.match_info().get("sessionId").and_then(|id| id.parse().ok());
    let Some(session) = session else { return errors::not_found() };
    end(&request, &web, move |tx| {
        let actor = tx.own_actor()?;
        Ok(tx.revoke_own_session(actor, session)?)
    })
    .await
}

/// `POST /~/account/identities/{oidcProviderId}`
pub(super) async fn disconnect(
    request: HttpRequest,
    web: WebData,
    Form(Confirmation {}): Form<Confirmation>,
) -> HttpResponse {
    let provider: Option<OidcProviderId> =
        request.match_info().get("oidcProviderId").and_then(|id| id.parse().ok());
    let Some(provider) = provider else { return errors::not_found() };
    end(&request, &web, move |tx| {
        if !tx.own_account()?.limits.allow_own(OwnAction::ChangeUser) {
            return Ok(Revocation::Stronger);
        }
        require_recent_proof(tx)?;
        tx.disconnect_oidc(provider)?;
        Ok(Revocation::Done)
    })
    .await
}

/// `POST /~/account/saml-identities/{samlProviderId}`
pub(super) async fn disconnect_saml(
    request: HttpRequest,
    web: WebData,
    Form(Confirmation {}): Form<Confirmation>,
) -> HttpResponse {
    let provider: Option<SamlProviderId> =
        request.match_info().get("samlProviderId").and_then(|id| id.parse().ok());
    let Some(provider) = provider else { return errors::not_found() };
    end(&request, &web, move |tx| {
        if !tx.own_account()?.limits.allow_own(OwnAction::ChangeUser) {
            return Ok(Revocation::Stronger);
        }
        require_recent_proof(tx)?;
        tx.disconnect_saml(provider)?;
        Ok(Revocation::Done)
    })
    .await
}

/// Removes a resource of the caller and returns to the page. A missing resource counts as removed.
async fn end(
    request: &HttpRequest,
    web: &Web,
    end: impl FnOnce(&mut Tx<'_>) -> Result<Revocation, ApiError> + Send + 'static,
) -> HttpResponse {
    let Some(caller) = credentials(request) else { return frame::sign_in_to_account(web) };
    match web.state.transact(caller, end).await {
        Ok(Revocation::Done) => frame::see_other(&frame::at(web, "/~/account")),
        Ok(Revocation::Stronger) => errors::failed(&ApiError::new(Reason::Forbidden)),
        Err(error) if error.reason() == Reason::NotFound => frame::see_other(&frame::at(web, "/~/account")),
        Err(error) if error.reason() == Reason::Unauthenticated => frame::sign_in_to_account(web),
        Err(error) if error.reason() == Reason::ConfirmationRequired => {
            confirm::ask(web, &frame::at(web, "/~/account"))
        }
        Err(error) => errors::failed(&error),
    }
}

async fn save(request: &HttpRequest, web: &Web, caller: Credentials, form: Update) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let update = OwnUserUpdate {
        display_name: form.name.map(|name| problems.read::<kinds::DisplayName>("name", name.trim())),
        photo_url: match form.photo.as_deref().map(str::trim) {
            None => Patch::Keep,
            Some("") => Patch::Clear,
            Some(url) => Patch::Set(problems.read::<kinds::Url>("photo", url)),
        },
        password: form.password.map(|password| problems.read::<kinds::NewPassword>("password", &password)),
        current_password: form.current_password,
    };
    problems.none()?;
    Problems::check(own_user::update(&web.state, request, caller, update, |_| Ok(())).await)
}

async fn page(web: &Web, caller: Credentials, problems: &Problems, notice: Option<Notice>) -> HttpResponse {
    let found = web
        .state
        .read(caller, |reader| {
            let account = reader.own_account()?;
            Ok::<_, ApiError>(Account {
                factor: reader.second_factor(account.actor.user)?,
                account,
                passkeys: reader.own_passkeys(None, SHOWN)?.items,
                providers: reader.own_providers()?,
                notifications: reader.own_notifications()?,
                sessions: reader.own_sessions(None, SHOWN)?.0.items,
                tokens: reader.own_tokens(None, SHOWN)?.items,
                organizations: reader.organizations(None, MOST_ORGANIZATIONS)?.items,
            })
        })
        .await;
    let account = match found {
        Ok(account) => account,
        Err(error) if error.reason() == Reason::Unauthenticated => return frame::sign_in_to_account(web),
        Err(error) => return errors::failed(&error),
    };
    let content = html! {
        @match notice {
            Some(Notice::Saved) => p.notice role="status" { "Saved." },
            Some(Notice::Token(token)) => {
                div.notice role="status" {
                    p { "Copy the new token now. It is not shown again." }
                    p { code { (token) } }
                }
            }
            None => {}
        }
        (frame::alert(problems))
        @if account.account.actor.lacks_factor { (account.missing_factor(web)) }
        (account.person(web, problems))
        (account.password(web, problems))
        (account.second_factor(web))
        (own_passkeys::section(web, &account.passkeys))
        (account.identities(web))
        (notifications::section(web, &account.notifications))
        (account.sessions(web))
        (account.tokens(web, problems))
        form method="post" action=(frame::at(web, "/~/account/sign-out")) { button { "Sign out" } }
    };
    frame::page_of_account(web, problems.response(), "Your account", &content)
}

/// Returns the last millisecond of a day (UTC) in the format of date fields.
fn end_of(day: &str) -> Option<Timestamp> {
    format!("{day}T23:59:59.999Z").parse().ok()
}
