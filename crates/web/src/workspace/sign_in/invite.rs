//! `/~/invite/{inviteId}`: invitation that a signed-in user or a new account can accept.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quire_domain::ids::InviteId;
use quire_domain::texts::kinds;
use quire_server::extract::credentials;
use quire_server::{ApiError, ApiResult, own_user, sign_in};
use quire_storage::lookup::Credentials;
use quire_storage::people::invites::ShownInvite;
use quire_storage::people::user_sessions::StartedSession;
use serde::Deserialize;

use super::form::{Form, Problems};
use super::frame::{self, Field};
use crate::errors;
use crate::state::{Web, WebData};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Query {
    secret: Option<String>,
}

/// Form of a signed-in user.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Acceptance {
    secret: String,
}

/// Form of a new account.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Registration {
    secret: String,
    name: String,
    password: String,
}

/// Invite of a request.
struct RequestedInvite {
    id: InviteId,
    /// Secret of an e-mail invite. Empty for an invite link.
    secret: String,
    /// E-mail invite.
    shown: Option<ShownInvite>,
    /// Name of the signed-in user.
    user: Option<String>,
}

/// `GET /~/invite/{inviteId}?secret=…`
pub(super) async fn show(request: HttpRequest, web: WebData) -> HttpResponse {
    let query = web::Query::<Query>::from_query(request.query_string());
    let secret = query.ok().and_then(|query| query.into_inner().secret).unwrap_or_default();
    match RequestedInvite::find(&request, &web, secret).await {
        Ok(Some(asked)) => asked.page(&web, &Registration::default(), &Problems::default()),
        Ok(None) => absent(),
        Err(error) => errors::failed(&error),
    }
}

/// `POST /~/invite/{inviteId}`
pub(super) async fn accept(request: HttpRequest, web: WebData, Form(form): Form<Acceptance>) -> HttpResponse {
    let (Some(id), Some(caller)) = (id(&request), credentials(&request)) else { return absent() };
    let secret = Some(form.secret.clone()).filter(|secret| !secret.is_empty());
    let accepted = web
        .state
        .transact(caller, move |tx| Ok::<_, ApiError>(tx.accept_invite(id, secret.as_deref())?))
        .await;
    match accepted {
        Ok(_) => frame::see_other(&frame::start(&web)),
        Err(error) => errors::failed(&error),
    }
}

/// `POST /~/invite/{inviteId}/register`
pub(super) async fn register(
    request: HttpRequest,
    web: WebData,
    Form(form): Form<Registration>,
) -> HttpResponse {
    let asked = match RequestedInvite::find(&request, &web, form.secret.clone()).await {
        Ok(Some(asked)) if asked.shown.is_some() => asked,
        Ok(_) => return absent(),
        Err(error) => return errors::failed(&error),
    };
    match asked.join(&request, &web, &form).await {
        Ok(session) => frame::signed_in(&web, &session, &frame::start(&web)),
        Err(problems) => asked.page(&web, &form, &problems),
    }
}

fn id(request: &HttpRequest) -> Option<InviteId> {
    request.match_info().get("inviteId").and_then(|id| id.parse().ok())
}

fn absent() -> HttpResponse {
    errors::refused(
        actix_web::http::StatusCode::NOT_FOUND,
        "This invitation is not valid",
        "It was already accepted, was withdrawn, or has expired. Ask for a new one.",
    )
}

impl RequestedInvite {
    /// Looks up the invite of a request. `None` if an e-mail invite does not exist or has another secret. Invite links
    /// are looked up only on acceptance.
    async fn find(request: &HttpRequest, web: &Web, secret: String) -> ApiResult<Option<Self>> {
        let Some(id) = id(request) else { return Ok(None) };
        let user = match credentials(request) {
            Some(caller) => web.state.read(caller, |reader| Ok(reader.own_user()?)).await.ok(),
            None => None,
        };
        let user = user.and_then(|(user, _)| user.display_name().map(str::to_owned));
        if secret.is_empty() {
            return Ok(Some(Self { id, secret, shown: None, user }));
        }
        let sought = secret.clone();
        let find = move |reader: &mut quire_storage::Reader<'_>| Ok(reader.show_email_invite(id, &sought)?);
        let shown = web.state.read(Credentials::ANONYMOUS, find).await?;
        Ok(shown.map(|shown| Self { id, secret, shown: Some(shown), user }))
    }

    async fn join(
        &self,
        request: &HttpRequest,
        web: &Web,
        form: &Registration,
    ) -> Result<StartedSession, Problems> {
        let mut problems = Problems::default();
        let name = problems.read::<kinds::DisplayName>("name", form.name.trim());
        let password = problems.read::<kinds::NewPassword>("password", &form.password);
        problems.none()?;
        let email = self.shown.as_ref().map_or("", |shown| shown.email.as_str());
        Problems::check(own_user::check_strength("password", &password, &[name.as_str(), email]))?;
        let hash = Problems::check(web.state.hash_password(password).await)?;
        let (id, secret, browser) = (self.id, self.secret.clone(), sign_in::browser(request));
        let joined = sign_in::with_invite(&web.state, (id, self.secret.clone()), move |tx| {
            Ok(tx.join_with_password((id, &secret), &name, &hash, &browser)?)
        });
        Problems::check(joined.await)
    }

    fn path(&self, web: &Web) -> String {
        frame::at(web, &format!("/~/invite/{}", self.id))
    }

    fn page(&self, web: &Web, form: &Registration, problems: &Problems) -> HttpResponse {
        let title = match &self.shown {
            Some(shown) => format!("Join {}", shown.organization_title),
            None => "You are invited".to_owned(),
        };
        let content = match (&self.user, &self.shown) {
            (Some(user), _) => self.acceptance(web, user),
            (None, Some(shown)) => self.registration(web, shown, form, problems),
            (None, None) => html! {
                p.lead { "Sign in to accept the invitation." }
                p { a.button.primary href=(self.sign_in(web)) { "Sign in" } }
            },
        };
        frame::page(web, problems.response(), &title, &content)
    }

    fn acceptance(&self, web: &Web, user: &str) -> Markup {
        html! {
            p.lead { "You are signed in as " strong { (user) } "." }
            form method="post" action=(self.path(web)) {
                input type="hidden" name="secret" value=(self.secret);
                button.primary { "Accept invitation" }
            }
        }
    }

    fn registration(
        &self,
        web: &Web,
        shown: &ShownInvite,
        form: &Registration,
        problems: &Problems,
    ) -> Markup {
        let name = Field {
            name: "name",
            label: "Your name",
            kind: "text",
            autocomplete: "name",
            value: &form.name,
            hint: None,
        };
        let password = Field {
            name: "password",
            label: "Password",
            kind: "password",
            autocomplete: "new-password",
            value: "",
            hint: Some("At least 10 characters. Several unrelated words are a good choice."),
        };
        html! {
            p.lead { "Make an account for " strong { (shown.email) } "." }
            form method="post" action={ (self.path(web)) "/register" } {
                (frame::alert(problems))
                input type="hidden" name="secret" value=(self.secret);
                input type="hidden" name="email" value=(shown.email) autocomplete="username";
                (name.markup(problems))
                (password.markup(problems))
                button.primary { "Join" }
            }
            p.hint { "Do you have an account? " a href=(self.sign_in(web)) { "Sign in to accept" } }
        }
    }

    /// Returns the URL of the sign-in page, which then redirects back to the invite.
    fn sign_in(&self, web: &Web) -> String {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let mut next = self.path(web);
        if !self.secret.is_empty() {
            next = format!("{next}?secret={}", encoded(&self.secret));
        }
        format!("{}?next={}", frame::at(web, "/~/sign-in"), encoded(&next))
    }
}
