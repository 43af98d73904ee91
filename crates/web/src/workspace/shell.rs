//! Frame of workspace pages: navigation, header and shared parts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use maud::{DOCTYPE, Markup, html};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, OrganizationId, PageId, RevisionId, SpaceId, UserId};
use quire_markup::emoji_character;
use quire_render::symbols;
use quire_server::ApiResult;
use quire_server::urls::base_path;
use quire_storage::Reader;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::lookup::UserRecord;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

use crate::assets;
use crate::site::shape;
use crate::state::Web;

/// Number of colors of avatars.
const COLORS: usize = 6;

/// Frame of pages for one caller.
#[derive(Clone)]
pub(super) struct Frame {
    /// Path of the deployment.
    pub(super) prefix: String,
    /// Name of the caller.
    person: String,
    user: Option<UserId>,
    /// Organization of the page with its title.
    organization: Option<(OrganizationId, String)>,
    /// Number of unread entries in the caller's inbox.
    unread: u64,
    /// Time of the request.
    now: Timestamp,
}

/// Ancestor of a page in the breadcrumbs.
pub(super) struct Crumb {
    pub(super) title: String,
    pub(super) href: String,
}

/// Content of a page.
#[derive(Default)]
pub(super) struct Page {
    /// Title in the browser's tab, and last of the breadcrumbs.
    pub(super) title: String,
    /// Ancestors of the page.
    pub(super) crumbs: Vec<Crumb>,
    /// Status after the breadcrumbs, for example of the change request.
    pub(super) status: Option<Markup>,
    /// Name of the navigation for screen readers.
    pub(super) nav_label: &'static str,
    /// Links of the navigation.
    pub(super) nav: Markup,
    /// Element `main` and its siblings.
    pub(super) main: Markup,
    /// Names of the icons in the content.
    pub(super) icons: BTreeSet<String>,
    /// Hosts of frames in the content.
    pub(super) frames: BTreeSet<&'static str>,
    /// True if the page has parts that `document.js` enhances, such as listings and tabs.
    pub(super) has_document: bool,
    /// True if the page can be edited in place.
    pub(super) is_edited: bool,
    /// Origin of a site that the page embeds in a frame.
    pub(super) framed: Option<String>,
    /// Style sheets and scripts in addition to those of all pages.
    pub(super) assets: &'static [&'static str],
    /// Content that the open page watches for changes.
    pub(super) watched: Option<Watched>,
}

/// Content that a page shows, for the event stream.
pub(super) struct Watched {
    pub(super) space: SpaceId,
    pub(super) change_request: Option<ChangeRequestId>,
    /// Revision that the page shows.
    pub(super) revision: RevisionId,
    /// Number of open comments at the time of the response.
    pub(super) comments_open: u64,
    pub(super) page: Option<PageId>,
}

impl Watched {
    /// Returns the API path of the page in the shown revision.
    fn document(&self) -> Option<String> {
        let page = self.page?;
        Some(format!("/v1/spaces/{}/revisions/{}/page/{page}", self.space, self.revision))
    }
}

impl Frame {
    /// Loads the caller, and the number of unread entries in the caller's inbox. Sends three statements.
    pub(super) fn load(
        reader: &mut Reader<'_>,
        web: &Web,
        organization: Option<(OrganizationId, String)>,
    ) -> ApiResult<Self> {
        let (user, _) = reader.own_user()?;
        Ok(Self {
            prefix: base_path(web.state.urls.base()),
            person: name_of(&user),
            user: user.id(),
            organization,
            unread: reader.unread_in_inbox()?,
            now: web.state.storage.clock().now(),
        })
    }

    /// Returns the name of the caller.
    pub(super) fn person(&self) -> &str {
        &self.person
    }

    /// Returns the address of a path below the deployment's path.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// Returns the address of the organization's home page.
    pub(super) fn home(&self) -> String {
        match &self.organization {
            Some((id, _)) => self.at(&format!("/o/{id}")),
            None => self.at("/"),
        }
    }

    /// Returns the address of the search.
    fn search(&self) -> String {
        match &self.organization {
            Some((id, _)) => self.at(&format!("/o/{id}/search")),
            None => self.at("/~/search"),
        }
    }

    /// Returns an icon from the sprite of the workspace.
    pub(super) fn icon(&self, name: &str, class: &str) -> Markup {
        let sprite = format!("{}#{name}", assets::path(&self.prefix, "workspace.svg"));
        html! { svg class={ "i " (class) } aria-hidden="true" { use href=(sprite) {} } }
    }

    /// Returns the emoji of a space or page, or an icon if it has none.
    pub(super) fn emoji_or(&self, emoji: Option<&str>, icon: &str) -> Markup {
        match emoji.filter(|emoji| !emoji.is_empty()) {
            Some(emoji) => html! { span aria-hidden="true" { (emoji_character(emoji)) } },
            None => self.icon(icon, ""),
        }
    }

    /// Returns the picture of a space, or else its emoji.
    pub(super) fn space_icon(&self, space: &SpaceRecord) -> Markup {
        match &space.icon {
            Some(url) => html! {
                img.av src=(url) alt="" width="24" height="24" loading="lazy" referrerpolicy="no-referrer";
            },
            None => self.emoji_or(Some(&space.emoji), "file-text"),
        }
    }

    /// Returns a link of the navigation.
    pub(super) fn nav_link(&self, href: &str, icon: &str, title: &str, is_current: bool) -> Markup {
        html! { a href=(href) aria-current=[is_current.then_some("page")] { (self.icon(icon, "")) (title) } }
    }

    /// Returns the time elapsed since another time, with its exact value as attribute.
    pub(super) fn ago(&self, time: Timestamp) -> Markup {
        let exact = OffsetDateTime::from(time).format(&Rfc3339).unwrap_or_default();
        html! { time datetime=(exact) title=(exact) { (ago(self.now, time)) } }
    }

    /// Responds with a page.
    pub(super) fn respond(&self, page: &Page) -> HttpResponse {
        let frames = page.frames.iter().copied().chain(page.framed.as_deref());
        html_response(StatusCode::OK, self.write(page).into_string(), frames)
    }

    fn write(&self, page: &Page) -> Markup {
        let asset = |name| assets::path(&self.prefix, name);
        let search = self.search();
        let watched = page.watched.as_ref();
        html! {
            (DOCTYPE)
            html lang="en" {
                (head(&self.prefix, &page.title, html! {
                    script src=(asset("theme.js")) {}
                    // On pages with the editor, other scripts have low priority.
                    @let later = page.is_edited.then_some("low");
                    @if page.has_document { script type="module" fetchpriority=[later] src=(asset("document.js")) {} }
                    script type="module" fetchpriority=[later] src=(asset("workspace.js")) {}
                    script type="module" fetchpriority=[later] src=(asset("actions.js")) {}
                    @for name in page.assets {
                        @if name.ends_with(".css") { link rel="stylesheet" href=(asset(name)); }
                        @else { script type="module" src=(asset(name)) {} }
                    }
                    @if page.is_edited {
                        @if let Some(document) = watched.and_then(Watched::document) {
                            link rel="preload" as="fetch" crossorigin href=(self.at(&document));
                        }
                        link rel="modulepreload" href=(asset("editor-chunk.js"));
                        script type="module" src=(asset("editor.js")) {}
                    }
                }))
                body data-search=(search) data-organization=[self.organization.as_ref().map(|(id, _)| id.to_string())]
                    data-base=(self.prefix) data-sprite=(asset("workspace.svg")) data-commands=(asset("commands.js")) data-person=[self.user]
                    data-watched=[watched.map(|watched| watched.space)] data-change-request=[watched.and_then(|watched| watched.change_request)]
                    data-revision=[watched.map(|watched| watched.revision)] data-comments-open=[watched.map(|watched| watched.comments_open)]
                    data-page=[watched.and_then(|watched| watched.page)] {
                    a.skip href="#workspace:content" { "Skip to content" }
                    (symbols(&page.icons, &shape))
                    div.app {
                        nav.nav id="workspace:menu" popover="" aria-label=(page.nav_label) {
                            div.nav-head {
                                (self.brand())
                                (self.switcher())
                                button.btn.ghost.nav-close type="button" popovertarget="workspace:menu" popovertargetaction="hide" aria-label="Close the menu" { (self.icon("x", "")) }
                            }
                            a.find href=(search) data-palette="" { (self.icon("search", "")) "Search or jump to" kbd.k { "Ctrl K" } }
                            div.nav-scroll { (page.nav) }
                            div.nav-foot {
                                a href=(self.at("/~/account")) { (avatar(&self.person)) span { (self.person) } }
                                select data-theme-choice="" aria-label="Theme" hidden {
                                    option value="" { "System" }
                                    option value="light" { "Light" }
                                    option value="dark" { "Dark" }
                                }
                            }
                        }
                        div {
                            header.top {
                                button.btn.ghost.menu-btn type="button" popovertarget="workspace:menu" aria-label="Menu" { (self.icon("menu", "")) }
                                nav.crumbs aria-label="Breadcrumbs" {
                                    ol {
                                        @for crumb in &page.crumbs { li { a href=(crumb.href) { (crumb.title) } } }
                                        li { b aria-current="page" { (page.title) } }
                                    }
                                }
                                @if let Some(status) = &page.status { (status) }
                                @if watched.is_some() { div.faces data-faces="" role="status" {} }
                                a.btn.ghost.menu-btn href=(search) data-palette="" aria-label="Search" { (self.icon("search", "")) }
                                (self.bell())
                            }
                            (page.main)
                        }
                    }
                }
            }
        }
    }

    /// Returns the link to the inbox. `workspace.js` updates its number on events.
    fn bell(&self) -> Markup {
        let shown = if self.unread > 99 { "99+".to_owned() } else { self.unread.to_string() };
        html! {
            a.btn.ghost.bell href=(self.at("/~/inbox")) data-inbox="" {
                (self.icon("bell", ""))
                span.hidden-text { "Inbox" }
                span.count data-unread="" hidden[self.unread == 0] { (shown) span.hidden-text { " unread" } }
            }
        }
    }

    /// Returns the menu of the caller's organizations. `workspace.js` loads it on opening.
    fn switcher(&self) -> Markup {
        html! {
            button.btn.ghost type="button" popovertarget="workspace:organizations" aria-label="Switch organization" {
                (self.icon("chevrons-up-down", ""))
            }
            nav.switcher id="workspace:organizations" popover="" aria-label="Your organizations" data-organizations="" {
                a href=(self.at("/")) { "All organizations" }
            }
        }
    }

    fn brand(&self) -> Markup {
        let title = self.organization.as_ref().map_or("Quire", |(_, title)| title);
        let initial: String = title.chars().take(1).flat_map(char::to_uppercase).collect();
        html! { a.org href=(self.at("/")) { span.logo aria-hidden="true" { (initial) } span { (title) } } }
    }
}

fn head(prefix: &str, title: &str, scripts: Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="robots" content="noindex";
            title { (title) " · Quire" }
            link rel="icon" href=(assets::path(prefix, "favicon.svg"));
            link rel="stylesheet" href=(assets::path(prefix, "workspace.css"));
            (scripts)
        }
    }
}

/// Responds with 404, which does not distinguish missing resources from those that the caller may not see.
pub(super) fn not_found(web: &Web) -> HttpResponse {
    let prefix = base_path(web.state.urls.base());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&prefix, "Page not found", html! {
                script src=(assets::path(&prefix, "theme.js")) {}
                script type="module" src=(assets::path(&prefix, "workspace.js")) {}
            }))
            body data-search={ (prefix) "/~/search" } data-base=(prefix)
                data-sprite=(assets::path(&prefix, "workspace.svg")) data-commands=(assets::path(&prefix, "commands.js")) {
                main.plain {
                    h1 { "Page not found" }
                    p.muted { "There is no page at this address, or you have no access to it." }
                    form.search-form role="search" aria-label="Search" action={ (prefix) "/~/search" } {
                        input type="search" name="query" aria-label="Search" placeholder="Search all pages" required;
                        button.btn type="submit" { "Search" }
                    }
                    p { a href={ (prefix) "/" } { "Go to the start page" } }
                }
            }
        }
    };
    html_response(StatusCode::NOT_FOUND, page.into_string(), std::iter::empty())
}

/// Responds with HTML. Like published pages, the content security policy allows pictures from other hosts. Everything
/// else must come from this server, except frames of embeddable hosts and of sites.
fn html_response<'f>(
    status: StatusCode,
    body: String,
    frames: impl Iterator<Item = &'f str>,
) -> HttpResponse {
    let mut policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https: http:; \
                      media-src 'self' https:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; \
                      form-action 'self'; base-uri 'none'; frame-src"
            .to_owned();
    let mut frames = frames.peekable();
    if frames.peek().is_none() {
        policy.push_str(" 'none'");
    }
    for host in frames {
        // Writing to a string does not fail.
        let _ = write!(policy, " {host}");
    }
    HttpResponse::build(status)
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::CONTENT_SECURITY_POLICY, policy))
        .content_type("text/html; charset=utf-8")
        .body(body)
}

pub(super) fn name_of(user: &UserRecord) -> String {
    user.display_name().filter(|name| !name.is_empty()).unwrap_or("Removed user").to_owned()
}

/// Returns an avatar with the initials of a person.
pub(super) fn avatar(name: &str) -> Markup {
    let initials: String = name
        .split_whitespace()
        .filter_map(|word| word.chars().next())
        .take(2)
        .flat_map(char::to_uppercase)
        .collect();
    let color = name.bytes().map(usize::from).sum::<usize>().checked_rem(COLORS).unwrap_or_default();
    html! { span class={ "av c" (color) } aria-hidden="true" { (initials) } }
}

/// Returns the photo of a user, or an avatar with the initials.
pub(super) fn face(user: &UserRecord) -> Markup {
    match user.photo_url() {
        Some(url) => html! {
            img.av src=(url) alt="" width="24" height="24" loading="lazy" referrerpolicy="no-referrer";
        },
        None => avatar(&name_of(user)),
    }
}

/// Returns a number with its noun in singular or plural.
pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn ago(now: Timestamp, time: Timestamp) -> String {
    let passed = now.since(time);
    match (passed.whole_minutes(), passed.whole_hours(), passed.whole_days()) {
        (..1, ..) => "just now".to_owned(),
        (minutes @ ..60, ..) => format!("{minutes} min ago"),
        (_, hours @ ..24, _) => format!("{hours} h ago"),
        (_, _, 1) => "yesterday".to_owned(),
        (_, _, days @ ..30) => format!("{days} days ago"),
        _ => {
            let format = format_description!("[day padding:none] [month repr:short] [year]");
            OffsetDateTime::from(time).format(format).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_people_say_them() {
        let at = |seconds: i64| {
            Timestamp::from_millis(1_700_000_000_000_i64.saturating_add(seconds * 1_000)).unwrap()
        };
        let hour = 3_600;
        for (passed, expected) in [
            (-5, "just now"),
            (59, "just now"),
            (61, "1 min ago"),
            (hour - 1, "59 min ago"),
            (hour, "1 h ago"),
            (24 * hour - 1, "23 h ago"),
            (25 * hour, "yesterday"),
            (49 * hour, "2 days ago"),
            (31 * 24 * hour, "14 Nov 2023"),
        ] {
            assert_eq!(ago(at(passed), at(0)), expected);
        }
    }
}
