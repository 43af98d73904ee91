//! Administration of an organization: people, teams and other settings. The pages share a navigation, and every change
//! is a request to the API.

mod access;
mod audit;
pub(super) mod content;
mod content_kind;
mod deleted;
mod fields;
pub(super) mod git;
mod integrations;
mod invites;
mod merge_rules;
mod organization;
mod people;
mod providers;
mod saml;
mod sign_in;
mod specs;
mod teams;
mod translations;
mod webhooks;

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, Credentials};
use quire_storage::people::organizations::OrganizationRecord;

use super::shell::{Crumb, Frame, Page};
use crate::state::{Web, WebData};

/// Items per page of a list.
const MOST: u16 = 50;
/// Roles of members, weakest first.
const ROLES: [(&str, &str); 7] = [
    ("null", "Guest"),
    ("read", "Read"),
    ("comment", "Comment"),
    ("edit", "Edit"),
    ("review", "Review"),
    ("create", "Create"),
    ("admin", "Admin"),
];

/// Returns the value of a role in [`ROLES`].
fn role_value(role: Option<Role>) -> &'static str {
    role.map_or("null", Role::as_str)
}

fn role_name(role: Option<Role>) -> &'static str {
    let value = role_value(role);
    ROLES.iter().find(|(found, _)| *found == value).map_or("Guest", |(_, name)| name)
}

/// Area of the settings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Area {
    Organization,
    People,
    Invites,
    Teams,
    SignIn,
    Fields,
    Specs,
    Translations,
    Integrations,
    Webhooks,
    Audit,
    Deleted,
}

impl Area {
    const ALL: [Self; 12] = [
        Self::Organization,
        Self::People,
        Self::Invites,
        Self::Teams,
        Self::SignIn,
        Self::Fields,
        Self::Specs,
        Self::Translations,
        Self::Integrations,
        Self::Webhooks,
        Self::Audit,
        Self::Deleted,
    ];

    /// Returns the path below the organization, the title and the icon.
    fn parts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Organization => ("settings", "Settings", "settings"),
            Self::People => ("people", "People", "users"),
            Self::Invites => ("invites", "Invitations", "mail"),
            Self::Teams => ("teams", "Teams", "users"),
            Self::SignIn => ("sign-in", "Sign-in", "key-round"),
            Self::Fields => ("fields", "Custom fields", "list"),
            Self::Specs => ("openapi", "API specifications", "file-text"),
            Self::Translations => ("translations", "Translations", "globe"),
            Self::Integrations => ("integrations", "Integrations", "layers"),
            Self::Webhooks => ("webhooks", "Webhooks", "git-merge"),
            Self::Audit => ("audit", "Audit log", "history"),
            Self::Deleted => ("deleted", "Deleted spaces", "trash-2"),
        }
    }
}

/// Organization with the frame of its settings.
struct Settings {
    organization: Authorized<OrganizationRecord>,
    frame: Frame,
}

/// Responds to a page below the address of an organization. `None` if it does not belong to the settings.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    path: &[&str],
) -> ApiResult<Option<HttpResponse>> {
    let response = match path {
        ["people"] => people::page(request, web, caller, id).await?,
        ["invites"] => invites::page(request, web, caller, id).await?,
        ["teams"] => teams::list(request, web, caller, id).await?,
        ["teams", team] => teams::one(request, web, caller, id, team).await?,
        ["sign-in"] => sign_in::list(request, web, caller, id).await?,
        ["sign-in", "saml"] => saml::new(web, caller, id).await?,
        ["sign-in", provider] => sign_in::one(web, caller, id, provider).await?,
        ["sign-in", "saml", provider] => saml::one(web, caller, id, provider).await?,
        ["settings"] => organization::page(web, caller, id).await?,
        ["fields"] => fields::list(request, web, caller, id).await?,
        ["fields", name] => fields::one(web, caller, id, name).await?,
        ["openapi"] => specs::list(request, web, caller, id).await?,
        ["openapi", slug] => specs::one(request, web, caller, id, slug).await?,
        ["translations"] => translations::page(request, web, caller, id).await?,
        ["integrations"] => integrations::page(request, web, caller, id).await?,
        ["integrations", name] => integrations::publish::page(web, caller, id, name).await?,
        ["integrations", name, installation] => {
            integrations::installation::page(request, web, caller, id, (name, installation)).await?
        }
        ["webhooks"] => webhooks::list(request, web, caller, id).await?,
        ["webhooks", webhook] => webhooks::one(request, web, caller, id, webhook).await?,
        ["audit"] => audit::page(request, web, caller, id).await?,
        ["deleted"] => deleted::page(request, web, caller, id).await?,
        _ => return Ok(None),
    };
    Ok(Some(response))
}

/// Loads the organization. Calls `content` if the caller may do `action`.
async fn load<T: Send + 'static>(
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    action: Action,
    content: impl Fn(&mut Reader<'_>, &Authorized<OrganizationRecord>) -> ApiResult<T> + Send + 'static,
) -> ApiResult<(Settings, Option<T>)> {
    let shared = web.clone();
    let work = move |reader: &mut Reader<'_>| {
        let settings = Settings::load(reader, &shared, id)?;
        let may = settings.organization.may(action);
        let content = may.then(|| content(reader, &settings.organization)).transpose()?;
        Ok((settings, content))
    };
    web.state.read(caller, work).await
}

impl Settings {
    /// Loads an organization for one of its members. Sends two statements.
    fn load(reader: &mut Reader<'_>, web: &Web, id: OrganizationId) -> ApiResult<Self> {
        let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
        let frame = Frame::load(reader, web, Some((id, organization.title.clone())))?;
        Ok(Self { organization, frame })
    }

    /// Returns the address of a page of the organization.
    fn at(&self, path: &str) -> String {
        self.frame.at(&format!("/o/{}/{path}", self.organization.id))
    }

    /// Returns the API path of a resource of the organization, for forms.
    fn api(&self, path: &str) -> String {
        format!("orgs/{}/{path}", self.organization.id)
    }

    /// Returns whether the caller may change the organization.
    fn administers(&self) -> bool {
        self.organization.may(Action::AdministerOrganization)
    }

    /// Responds with a page of the settings.
    fn respond(&self, area: Area, content: Markup) -> HttpResponse {
        self.respond_below(area, None, content)
    }

    /// Responds with a page below an area of the settings.
    fn respond_below(&self, area: Area, title: Option<&str>, content: Markup) -> HttpResponse {
        let (path, name, _) = area.parts();
        let mut crumbs = vec![Crumb { title: "Home".to_owned(), href: self.frame.home() }];
        if title.is_some() {
            crumbs.push(Crumb { title: name.to_owned(), href: self.at(path) });
        }
        let title = title.unwrap_or(name);
        let main = html! {
            main.home id="workspace:content" {
                h1 { (title) }
                (content)
            }
        };
        let page = Page {
            title: title.to_owned(),
            crumbs,
            nav_label: "Settings",
            nav: self.nav(area),
            main,
            assets: &["settings.css", "settings.js"],
            ..Page::default()
        };
        self.frame.respond(&page)
    }

    /// Responds to a member whose role is not sufficient for a page.
    fn refuse(&self, area: Area, role: &str) -> HttpResponse {
        self.respond(
            area,
            html! {
                div.empty {
                    p { b { "This page needs the role " (role) } }
                    p { "Administrators of " (self.organization.title) " can give it to you." }
                }
            },
        )
    }

    fn nav(&self, current: Area) -> Markup {
        let frame = &self.frame;
        html! {
            ul {
                li { (frame.nav_link(&frame.home(), "house", "Home", false)) }
            }
            h2 id="workspace:settings" { "Organization" }
            ul aria-labelledby="workspace:settings" {
                @for area in Area::ALL {
                    @let (path, title, icon) = area.parts();
                    li { (frame.nav_link(&self.at(path), icon, title, area == current)) }
                }
            }
        }
    }
}

/// Returns the link to the next page of a list. `parameters` is the filter.
pub(super) fn more(address: &str, parameters: &[(&str, &str)], cursor: Option<(&str, &str)>) -> Markup {
    html! {
        @if let Some(cursor) = cursor {
            @let query = url::form_urlencoded::Serializer::new(String::new())
                .extend_pairs(parameters.iter().filter(|(_, value)| !value.is_empty()))
                .append_pair(cursor.0, cursor.1)
                .finish();
            p.pager { a.btn href={ (address) "?" (query) } { "Load more" } }
        }
    }
}

/// Returns the content of an empty list.
pub(super) fn empty(title: &str, about: &str) -> Markup {
    html! { div.empty { p { b { (title) } } p { (about) } } }
}
