//! Sections of `/~/account`.

use maud::{Markup, html};
use quire_domain::ids::OrganizationId;
use quire_domain::notifications::Notifications;
use quire_domain::sign_in::SignInProtocol;
use quire_server::sign_in::connection_url;
use quire_storage::people::oidc::OwnProvider;
use quire_storage::people::organizations::OrganizationRecord;
use quire_storage::people::passkeys::OwnPasskey;
use quire_storage::people::passwords::OwnAccount;
use quire_storage::people::second_factors::SecondFactor;
use quire_storage::people::tokens::OwnToken;
use quire_storage::people::user_sessions::OwnSession;

use super::form::Problems;
use super::frame::{self, Field, time};
use super::offered;
use crate::state::Web;

/// User with the data of the page.
pub(super) struct Account {
    pub(super) account: OwnAccount,
    pub(super) factor: Option<SecondFactor>,
    pub(super) passkeys: Vec<OwnPasskey>,
    pub(super) providers: Vec<OwnProvider>,
    pub(super) notifications: Notifications,
    pub(super) sessions: Vec<OwnSession>,
    pub(super) tokens: Vec<OwnToken>,
    /// Organizations of the user.
    pub(super) organizations: Vec<OrganizationRecord>,
}

impl Account {
    /// Writes the requirement of an organization. A user with a second factor confirms it, others set one up here.
    pub(super) fn missing_factor(&self, web: &Web) -> Markup {
        let has_code = self.factor.is_some_and(|factor| factor.confirmed_at.is_some());
        html! {
            div.alert.missing role="alert" {
                p { "An organization of yours requires a second factor. Until you use one, this browser shows only your account." }
                @if has_code || !self.passkeys.is_empty() {
                    p { a href={ (frame::at(web, "/~/confirm")) "?next=" (offered::encoded(&frame::start(web))) } { "Prove it now" } }
                } @else {
                    p { "Set up an app or add a passkey below." }
                }
            }
        }
    }

    pub(super) fn person(&self, web: &Web, problems: &Problems) -> Markup {
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

    pub(super) fn password(&self, web: &Web, problems: &Problems) -> Markup {
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

    pub(super) fn second_factor(&self, web: &Web) -> Markup {
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
                    p { "With an authenticator app, a stolen password is not enough to sign in." }
                    form method="post" action=(frame::at(web, "/~/account/totp")) {
                        button { "Set up an app" }
                    }
                }
            }
        }
    }

    /// Writes the providers of the user's organizations. Connecting one needs a session, not an API token.
    pub(super) fn identities(&self, web: &Web) -> Markup {
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

    pub(super) fn sessions(&self, web: &Web) -> Markup {
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

    /// Returns the titles of organizations. The user may have left some of them.
    fn titles(&self, ids: &[OrganizationId]) -> String {
        let title = |id: &OrganizationId| {
            let found = self.organizations.iter().find(|organization| organization.id == *id);
            found.map_or("a former organization", |organization| organization.title.as_str())
        };
        ids.iter().map(title).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn tokens(&self, web: &Web, problems: &Problems) -> Markup {
        let label = Field {
            name: "label",
            label: "Label",
            kind: "text",
            autocomplete: "off",
            value: "",
            hint: Some("A token acts as you."),
        };
        let problem = problems.of_field("lastDay");
        html! {
            section aria-labelledby="tokens" {
                h2 #tokens { "API tokens" }
                @if self.tokens.is_empty() { p { "No tokens. Programs use a token to act as you." } }
                ul hidden[self.tokens.is_empty()] {
                    @for token in &self.tokens {
                        li {
                            div {
                                strong { (token.label) }
                                @if token.limits.read_only { " · read-only" }
                                @if let Some(limited) = &token.limits.organizations { " · " (self.titles(limited)) }
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
                        p.hint #lastDay-hint { "Leave empty for a token that does not expire." }
                        @if let Some(problem) = problem { p.problem { "This " (problem) "." } }
                    }
                    label.tick { input type="checkbox" name="readOnly" value="on"; "Read-only" }
                    @if self.organizations.len() > 1 {
                        fieldset {
                            legend { "Only for these organizations" }
                            @for organization in &self.organizations {
                                label.tick { input type="checkbox" name={ "organization." (organization.id) } value="on"; (organization.title) }
                            }
                        }
                    }
                    button { "Create token" }
                }
            }
        }
    }
}

/// Returns the name of a browser and its system from a `User-Agent` header. The first match counts, because most
/// browsers also name older ones.
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
