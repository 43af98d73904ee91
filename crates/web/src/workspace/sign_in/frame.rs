//! Frame and shared parts of the pages.

use actix_web::HttpResponse;
use actix_web::body::BoxBody;
use actix_web::http::header::{self, HeaderValue};
use maud::{DOCTYPE, Markup, html};
use quire_domain::clock::Timestamp;
use quire_server::session_cookie;
use quire_server::urls::base_path;
use quire_storage::people::user_sessions::StartedSession;

use super::form::Problems;
use crate::assets;
use crate::state::Web;

/// Content security policy of most pages. They load only their style sheet and icon, and send forms to their own
/// origin.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

/// Content security policy of pages with scripts, which passkeys and the search need.
const POLICY_WITH_SCRIPTS: &str = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; \
                                    connect-src 'self'; base-uri 'none'; form-action 'self'; \
                                    frame-ancestors 'none'";

/// Parts of a page that need scripts.
#[derive(Clone, Copy, Default)]
struct Parts {
    /// [Passkey buttons](super::passkeys). The script makes them visible.
    passkeys: bool,
    /// Search of the workspace, on pages for signed-in users.
    search: bool,
}

/// Adds a page to a response and keeps the status.
pub(super) fn page(web: &Web, response: HttpResponse, title: &str, content: &Markup) -> HttpResponse {
    page_with(web, response, title, content, Parts::default())
}

/// Like [`page`], with [passkey buttons](super::passkeys).
pub(super) fn page_with_passkeys(
    web: &Web,
    response: HttpResponse,
    title: &str,
    content: &Markup,
) -> HttpResponse {
    let passkeys = web.state.offers_passkeys();
    page_with(web, response, title, content, Parts { passkeys, search: false })
}

/// Like [`page_with_passkeys`], for the account page of a signed-in user.
pub(super) fn page_of_account(
    web: &Web,
    response: HttpResponse,
    title: &str,
    content: &Markup,
) -> HttpResponse {
    let passkeys = web.state.offers_passkeys();
    page_with(web, response, title, content, Parts { passkeys, search: true })
}

fn page_with(web: &Web, response: HttpResponse, title: &str, content: &Markup, parts: Parts) -> HttpResponse {
    let prefix = base_path(web.state.urls.base());
    let asset = |name| assets::path(&prefix, name);
    let search = at(web, "/~/search");
    let sheet = if parts.search { "account.css" } else { "sign-in.css" };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (title) " · Quire" }
                link rel="icon" href=(asset("favicon.svg"));
                link rel="stylesheet" href=(asset(sheet));
                @if parts.passkeys { script src=(asset("passkeys.js")) {} }
                @if parts.search { script type="module" src=(asset("workspace.js")) {} }
            }
            body data-search=[parts.search.then_some(&search)] data-base=[parts.search.then_some(&prefix)]
                data-sprite=[parts.search.then(|| asset("workspace.svg"))] data-commands=[parts.search.then(|| asset("commands.js"))] {
                main {
                    @if parts.search {
                        a.find href=(search) data-palette="" { "Search" kbd aria-hidden="true" { "Ctrl K" } }
                    }
                    a.logo href=(start(web)) {
                        img src=(asset("favicon.svg")) alt="Quire" width="40" height="40";
                    }
                    h1 { (title) }
                    (content)
                }
            }
        }
    };
    let mut response = response.set_body(BoxBody::new(page.into_string()));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (
            header::CONTENT_SECURITY_POLICY,
            if parts.passkeys || parts.search { POLICY_WITH_SCRIPTS } else { POLICY },
        ),
        (header::CACHE_CONTROL, "no-store"),
        // With `no-referrer`, browsers send `Origin: null` with forms.
        (header::REFERRER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Redirects a browser after a form was accepted.
pub(super) fn see_other(url: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, url))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish()
}

/// Redirects a newly signed-in browser, with its session cookie.
pub(super) fn signed_in(web: &Web, session: &StartedSession, url: &str) -> HttpResponse {
    let mut response = see_other(url);
    session_cookie::add(&mut response, &session_cookie::start(&web.state.settings.base_url, &session.secret));
    response
}

/// Returns the URL path of the start page.
pub(super) fn start(web: &Web) -> String {
    at(web, "/")
}

/// Returns the URL path for a path of the deployment.
pub(super) fn at(web: &Web, path: &str) -> String {
    format!("{}{path}", base_path(web.state.urls.base()))
}

/// Redirects to the sign-in page, which then redirects to the account.
pub(super) fn sign_in_to_account(web: &Web) -> HttpResponse {
    see_other(&format!("{}?next={}", at(web, "/~/sign-in"), at(web, "/~/account")))
}

/// Writes the day of a time.
pub(super) fn time(at: Timestamp) -> Markup {
    let text = at.to_string();
    let day = text.split('T').next().unwrap_or_default();
    html! { time datetime=(text) { (day) } }
}

/// Form field.
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    /// Type of the input.
    pub(super) kind: &'a str,
    pub(super) autocomplete: &'a str,
    pub(super) value: &'a str,
    /// Sentence below the field.
    pub(super) hint: Option<&'a str>,
}

impl Field<'_> {
    /// Writes the field with its label and its problem.
    pub(super) fn markup(&self, problems: &Problems) -> Markup {
        self.write(problems, true, false)
    }

    /// Like [`Field::markup`], for an optional field.
    pub(super) fn optional_markup(&self, problems: &Problems) -> Markup {
        self.write(problems, false, false)
    }

    /// Like [`Field::markup`], with autofocus.
    pub(super) fn focused_markup(&self, problems: &Problems) -> Markup {
        self.write(problems, true, true)
    }

    fn write(&self, problems: &Problems, is_required: bool, is_focused: bool) -> Markup {
        let problem = problems.of_field(self.name);
        let most = if self.kind == "url" { "2048" } else { "256" };
        let hint_id = format!("{}-hint", self.name);
        let described = (problem.is_some() || self.hint.is_some()).then_some(&hint_id);
        html! {
            div.field {
                label for=(self.name) { (self.label) }
                input #(self.name) name=(self.name) type=(self.kind) value=(self.value) required[is_required]
                    autocomplete=(self.autocomplete) aria-invalid=[problem.map(|_| "true")]
                    aria-describedby=[described] maxlength=(most) autofocus[is_focused];
                @if let Some(problem) = problem {
                    p.problem #(hint_id) { (self.label) " " (problem) "." }
                } @else if let Some(hint) = self.hint {
                    p.hint #(hint_id) { (hint) }
                }
            }
        }
    }
}

/// Writes the problem that concerns the whole form.
pub(super) fn alert(problems: &Problems) -> Markup {
    html! { @if let Some(problem) = problems.of_whole() { p.alert role="alert" { (problem) } } }
}
