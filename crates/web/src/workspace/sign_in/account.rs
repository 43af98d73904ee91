//! `/~/account`: name, password, passkeys, identities, notifications, sessions and API tokens of the signed-in user.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{OidcProviderId, SamlProviderId, SessionId, TokenId};
use quire_domain::notifications::{Notifications, NotificationsUpdate};
use quire_domain::patch::Patch;
use quire_domain::policy::{Limits, OwnAction};
use quire_domain::sign_in::SignInProtocol;
use quire_domain::texts::kinds;
use quire_server::extract::credentials;
use quire_server::own_user::{self, OwnUserUpdate};
use quire_server::second_factor::require_recent_proof;
use quire_server::sign_in::connection_url;
use quire_server::{ApiError, session_cookie};
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::people::oidc::OwnProvider;
use quire_storage::people::passkeys::OwnPasskey;
use quire_storage::people::passwords::OwnAccount;
use quire_storage::people::second_factors::SecondFactor;
use quire_storage::people::tokens::{OwnToken, Revocation};
use quire_storage::people::user_sessions::OwnSession;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, Field, time};
use super::{confirm, notifications, offered, own_passkeys};
use crate::errors;
use crate::state::{Web, WebData};

/// Sessions, tokens and passkeys that the page shows: as many as a user can have.
const SHOWN: u16 = 200;

/// Form of the name, or of the password.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Update {
    name: Option<String>,
    /// URL; empty for none.
    photo: Option<String>,
    password: Option<String>,
    #[serde(rename = "currentPassword")]
    current_password: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct NewToken {
    label: String,
    /// Present if the box is ticked.
    #[serde(rename = "readOnly")]
    read_only: Option<String>,
    /// Last day; empty for none.
    #[serde(rename = "lastDay")]
    last_day: String,
}

/// Form without fields.
#[derive(Deserialize)]
pub(super) struct Confirmation {}

/// Message above the page.
enum Notice {
    Saved,
    /// New token, which is shown once.
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
    Form(form): Form<NewToken>,
) -> HttpResponse {
    let Some(caller) = credentials(&request) else { return frame::sign_in_to_account(&web) };
    let mut problems = Problems::default();
    let label = problems.read::<kinds::TokenLabel>("label", form.label.trim());
    let expires_at = match form.last_day.trim() {
        "" => None,
        day => {
            let expiry = end_of(day).filter(|end| *end > web.state.storage.clock().now());
            if expiry.is_none() {
                problems.add("lastDay", "must be a day that is not over");
            }
            expiry
        }
    };
    if let Err(problems) = problems.none() {
        return page(&web, caller, &problems, None).await;
    }
    let create = move |tx: &mut Tx<'_>| {
        let actor = tx.actor()?;
        if !actor.token_allows_own(OwnAction::IssueToken) {
            return Err(ApiError::new(Reason::Forbidden));
        }
        require_recent_proof(tx)?;
        let limits = Limits { read_only: form.read_only.is_some(), expires_at, ..Limits::default() };
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

/// Ends something of the caller and returns to the page. What is gone already counts as ended.
async fn end(
    request: &HttpRequest,
    web: &Web,
    end: impl FnOnce(&mut Tx<'_>) -> Result<Revocation, ApiError> + Send + 'static,
) -> HttpResponse {
    let Some(caller) = credentials(request) else { return frame::sign_in_to_account(web) };
    match web.state.transact(caller, end).await {
        Ok(Revocation::Done) => frame::see(&frame::at(web, "/~/account")),
        Ok(Revocation::Stronger) => errors::failed(&ApiError::new(Reason::Forbidden)),
        Err(error) if error.reason() == Reason::NotFound => frame::see(&frame::at(web, "/~/account")),
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

/// The user with all that the page shows.
struct Account {
    account: OwnAccount,
    factor: Option<SecondFactor>,
    passkeys: Vec<OwnPasskey>,
    providers: Vec<OwnProvider>,
    notifications: Notifications,
    sessions: Vec<OwnSession>,
    tokens: Vec<OwnToken>,
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

impl Account {
    /// Says what an organization requires. Who has a second factor proves it; others set one up here.
    fn missing_factor(&self, web: &Web) -> Markup {
        let has_code = self.factor.is_some_and(|factor| factor.confirmed_at.is_some());
        html! {
            div.alert.missing role="alert" {
                p { "An organization of yours requires a second factor. Until then, this browser shows your account only." }
                @if has_code || !self.passkeys.is_empty() {
                    p { a href={ (frame::at(web, "/~/confirm")) "?next=" (offered::encoded(&frame::start(web))) } { "Prove it now" } }
                } @else {
                    p { "Set up an app or add a passkey below." }
                }
            }
        }
    }

    fn person(&self, web: &Web, problems: &Problems) -> Markup {
        let name = Field {
            name: "name",
            label: "Name",
            kind: "text",
            autocomplete: "name",
            value: &self.account.display_name,
            hint: None,
        };
        let photo = Field {
            name: "photo",
            label: "Photo",
            kind: "url",
            autocomplete: "photo",
            value: self.account.photo_url.as_deref().unwrap_or_default(),
            hint: Some("Address of a square image. Without one, your initials are shown."),
        };
        html! {
            section aria-labelledby="person" {
                h2 #person { "You" }
                @match &self.account.email {
                    Some(email) => p { "You sign in as " strong { (email) } "." },
                    None => p { "You have no e-mail address. Ask the operator of this server to set one." }
                }
                form method="post" action=(frame::at(web, "/~/account")) {
                    (name.markup(problems))
                    (photo.optional_markup(problems))
                    button { "Save name and photo" }
                }
            }
        }
    }

    fn password(&self, web: &Web, problems: &Problems) -> Markup {
        let field = |name, label, autocomplete, hint| {
            Field { name, label, kind: "password", autocomplete, value: "", hint }.markup(problems)
        };
        let has_password = self.account.password_hash.is_some();
        html! {
            section aria-labelledby="password-title" {
                h2 #password-title { "Password" }
                form method="post" action=(frame::at(web, "/~/account")) {
                    @if has_password {
                        (field("currentPassword", "Present password", "current-password", None))
                    }
                    (field(
                        "password", "New password", "new-password",
                        Some("At least 10 characters. All other browsers are signed out."),
                    ))
                    button { @if has_password { "Change password" } @else { "Set password" } }
                }
            }
        }
    }

    fn second_factor(&self, web: &Web) -> Markup {
        let factor = self.factor.and_then(|factor| Some((factor.confirmed_at?, factor.codes_left)));
        html! {
            section aria-labelledby="factor" {
                h2 #factor { "Second factor" }
                @if let Some((since, left)) = factor {
                    p { "Sign-ins ask for a code of your app since " (time(since)) ". Recovery codes left: " (left) "." }
                    form method="post" action=(frame::at(web, "/~/account/totp/remove")) {
                        button { "Remove second factor" }
                    }
                } @else {
                    p { "With an authenticator app, a stolen password signs no one in." }
                    form method="post" action=(frame::at(web, "/~/account/totp")) {
                        button { "Set up an app" }
                    }
                }
            }
        }
    }

    /// Writes the providers of the user's organizations. An API token connects none.
    fn identities(&self, web: &Web) -> Markup {
        let session = self.account.proven_at.map(|_| self.account.actor.token);
        let next = frame::at(web, "/~/account");
        html! {
            @if !self.providers.is_empty() {
                section aria-labelledby="identities" {
                    h2 #identities { "Single sign-on" }
                    ul {
                        @for provider in &self.providers {
                            li {
                                div {
                                    strong { (provider.label) }
                                    p.hint { @if provider.is_connected { "Signs you in" } @else { "Not connected" } }
                                }
                                @if provider.is_connected {
                                    @let identities = match provider.protocol {
                                        SignInProtocol::Oidc => "identities",
                                        SignInProtocol::Saml => "saml-identities",
                                    };
                                    form method="post" action=(frame::at(web, &format!("/~/account/{identities}/{}", provider.id))) {
                                        button aria-label={ "Disconnect " (provider.label) } { "Disconnect" }
                                    }
                                } @else if let Some(session) = session {
                                    a.button href=(connection_url(&web.state, session, provider, Some(&next)))
                                        aria-label={ "Connect " (provider.label) } { "Connect" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn sessions(&self, web: &Web) -> Markup {
        html! {
            section aria-labelledby="sessions" {
                h2 #sessions { "Browsers" }
                ul {
                    @for session in &self.sessions {
                        li {
                            div {
                                strong { (browser_name(session.user_agent.as_deref())) }
                                @if session.is_of(self.account.actor.token) { " · this browser" }
                                p.hint {
                                    @if let Some(address) = &session.address { (address) " · " }
                                    "signed in " (time(session.created_at))
                                    " · last used " (time(session.last_used_at))
                                }
                            }
                            form method="post"
                                action=(frame::at(web, &format!("/~/account/sessions/{}", session.id))) {
                                button aria-label={ "Sign out " (browser_name(session.user_agent.as_deref())) } {
                                    "Sign out"
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn tokens(&self, web: &Web, problems: &Problems) -> Markup {
        let label = Field {
            name: "label",
            label: "Label",
            kind: "text",
            autocomplete: "off",
            value: "",
            hint: Some("A token acts as you. The API makes tokens for certain organizations."),
        };
        let problem = problems.of_field("lastDay");
        html! {
            section aria-labelledby="tokens" {
                h2 #tokens { "API tokens" }
                ul {
                    @for token in &self.tokens {
                        li {
                            div {
                                strong { (token.label) }
                                @if token.limits.read_only { " · read-only" }
                                @if token.limits.organizations.is_some() { " · certain organizations" }
                                p.hint {
                                    "made " (time(token.created_at))
                                    @if let Some(at) = token.last_used_at { " · last used " (time(at)) }
                                    @if let Some(at) = token.limits.expires_at { " · expires " (time(at)) }
                                }
                            }
                            form method="post"
                                action=(frame::at(web, &format!("/~/account/tokens/{}", token.id))) {
                                button aria-label={ "Revoke " (token.label) } { "Revoke" }
                            }
                        }
                    }
                }
                form method="post" action=(frame::at(web, "/~/account/tokens")) {
                    (label.markup(problems))
                    div.field {
                        label for="lastDay" { "Last day" }
                        input #lastDay type="date" name="lastDay" aria-describedby="lastDay-hint" aria-invalid=[problem.map(|_| "true")];
                        p.hint #lastDay-hint { "Empty for a token that does not expire." }
                        @if let Some(problem) = problem { p.problem { "This " (problem) "." } }
                    }
                    label.tick { input type="checkbox" name="readOnly" value="on"; "Read-only" }
                    button { "Create token" }
                }
            }
        }
    }
}

/// Returns the last moment of a day (UTC), as forms write it.
fn end_of(day: &str) -> Option<Timestamp> {
    format!("{day}T23:59:59.999Z").parse().ok()
}

/// Returns the name of a browser and its system, from a `User-Agent` header. The first that is found counts, because
/// most browsers name older ones, too.
fn browser_name(user_agent: Option<&str>) -> String {
    const BROWSERS: [(&str, &str); 6] = [
        ("Firefox", "Firefox"),
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
        ("curl/", "curl"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ];
    let user_agent = user_agent.unwrap_or_default();
    let find = |names: &[(&str, &'static str)]| {
        names.iter().find(|(part, _)| user_agent.contains(part)).map(|(_, name)| *name)
    };
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        _ => "Unknown browser".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::browser_name;

    #[test]
    fn browsers_are_named_by_what_they_are() {
        for (user_agent, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 \
                 Safari/537.36 Edg/150.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
                "Safari on iPhone",
            ),
            ("curl/8.14.1", "curl"),
            ("x", "Unknown browser"),
        ] {
            assert_eq!(browser_name(Some(user_agent)), expected);
        }
        assert_eq!(browser_name(None), "Unknown browser");
    }
}
