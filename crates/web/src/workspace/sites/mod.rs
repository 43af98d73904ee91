//! Sites of an organization: the list, and the pages of a site.

mod access;
mod address;
mod details;
mod git;
mod link_lines;
mod look;
mod overview;
mod parts;
mod redirects;
mod renderer;
mod space_look;
mod structure;

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SiteId, SpaceId};
use quire_domain::policy::Action;
use quire_domain::sites::SiteVisibility;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, Credentials};
use quire_storage::sites::{SiteFilter, SiteRecord};

use super::directory::{Current, Directory, offered_spaces};
use super::forms::{ApiForm, Field, Select, Tick, dialog};
use super::requests::{next, parameter, position};
use super::shell::{Crumb, Page, counted};
use crate::state::WebData;

/// Sites per page of the list.
const MOST: u16 = 50;
/// Maximum length of a site's title.
const LONGEST_TITLE: u32 = 128;
/// Names of audiences.
const AUDIENCES: [(&str, &str); 4] = [
    ("public", "Everyone"),
    ("unlisted", "Everyone, not listed by search engines"),
    ("share-link", "Who has a share link"),
    ("visitor-auth", "Who signs in at a service of yours"),
];

/// Site with the directory of its organization.
struct Opened {
    directory: Directory,
    site: Authorized<SiteRecord>,
}

/// Page of a site.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    Overview,
    Structure,
    Look,
    Address,
    Access,
    Redirects,
    Git,
    Renderer,
}

impl Tab {
    const ALL: [(Self, &'static str, &'static str); 8] = [
        (Self::Overview, "", "Overview"),
        (Self::Structure, "structure", "Structure"),
        (Self::Look, "look", "Look"),
        (Self::Address, "address", "Address"),
        (Self::Access, "access", "Access"),
        (Self::Redirects, "redirects", "Redirects"),
        (Self::Git, "git", "Git"),
        (Self::Renderer, "renderer", "Renderer"),
    ];

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(tab, ..)| *tab)
    }
}

/// Returns the name of an audience.
fn audience(visibility: SiteVisibility) -> &'static str {
    AUDIENCES.iter().find(|(value, _)| *value == visibility.as_str()).map_or("", |(_, label)| label)
}

/// Responds to `/o/{organizationId}/sites`, optionally filtered by a space.
pub(super) async fn list(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let space = parameter(request, "space").map(|space| space.parse::<SpaceId>()).transpose();
    let space = space.map_err(|_| ApiError::not_found())?;
    let list = format!("sites on the page of {id}");
    let after: Option<SiteId> = position(request, &list)?;
    let filter = SiteFilter { space, ..SiteFilter::default() };
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let directory = Directory::load(reader, &shared, id, None)?;
        let sites = reader.sites_of(&directory.organization, &filter, after, MOST)?;
        let is_manager = directory.organization.may(Action::ManageSites);
        let offered = is_manager.then(|| offered_spaces(reader, id)).transpose()?;
        Ok((directory, sites, offered))
    };
    let (directory, sites, offered) = web.state.read(caller, load).await?;
    let more = next(&sites, &list, |site| site.id)?;
    let frame = &directory.frame;
    let address = frame.at(&format!("/o/{id}/sites"));
    let main = html! {
        main.home id="workspace:content" {
            h1 { "Sites" }
            p.sub { "A site shows spaces to readers outside the organization." }
            @if let Some(offered) = &offered { (new_site(&directory, offered)) }
            @if sites.items.is_empty() {
                div.empty { p { b { "No sites yet" } } p { "Publish a space with the button on its pages, or make a site here." } }
            } @else {
                ul.list {
                    @for site in &sites.items {
                        li {
                            (frame.icon("globe", if site.published { "merged" } else { "draft" }))
                            a.t href={ (address) "/" (site.id) } { (site.title) }
                            span.d {
                                @if site.published { (audience(site.visibility)) } @else { "Not published" }
                                " · " (counted(u64::try_from(site.site_spaces).unwrap_or(0), "space", "spaces"))
                            }
                        }
                    }
                }
                @if let Some(more) = &more {
                    @let of_space = space.map(|space| format!("&space={space}")).unwrap_or_default();
                    p.pager { a.btn href={ (address) "?page=" (more) (of_space) } { "More sites" } }
                }
            }
        }
    };
    let page = Page {
        title: "Sites".to_owned(),
        crumbs: vec![Crumb { title: "Home".to_owned(), href: frame.home() }],
        nav_label: "Organization",
        nav: directory.nav(Current::Sites),
        main,
        ..Page::default()
    };
    Ok(frame.respond(&page))
}

fn new_site(directory: &Directory, offered: &[(String, String)]) -> Markup {
    let id = directory.organization.id;
    let (url, next) = (format!("orgs/{id}/sites"), format!("o/{id}/sites/{{id}}"));
    let form = ApiForm {
        url: &url,
        next: Some(&next),
        submit: "Create site",
        is_primary: true,
        ..ApiForm::default()
    };
    html! {
        div.actions { button.btn type="button" data-dialog="workspace:new-site" { (directory.frame.icon("plus", "")) "New site" } }
        (dialog("workspace:new-site", "New site", html! {
            (Field { name: "title", label: "Title", is_required: true, longest: LONGEST_TITLE, ..Field::default() })
            (Select { name: "visibility", label: "Audience", options: &AUDIENCES, value: "public", hint: None })
            fieldset.ticks {
                legend { "Spaces" }
                @for (id, title) in offered {
                    (Tick { name: "spaces", label: title, value: Some(id), is_ticked: false })
                }
            }
        }, form.button()))
    }
}

/// Responds to `/o/{organizationId}/sites/{siteId}` and the pages below it.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    (organization, site): (OrganizationId, &str),
    rest: &[&str],
) -> ApiResult<HttpResponse> {
    let site: SiteId = site.parse().map_err(|_| ApiError::not_found())?;
    let key = (organization, site);
    let tab = match rest {
        [] => Tab::Overview,
        [name] => Tab::parse(name).ok_or_else(ApiError::not_found)?,
        ["look", "more"] => return details::page(web, caller, key).await,
        ["look", space] => {
            let space = space.parse().map_err(|_| ApiError::not_found())?;
            return space_look::page(web, caller, key, space).await;
        }
        ["structure", kind, id] => {
            let kind = parts::Kind::parse(kind).ok_or_else(ApiError::not_found)?;
            return parts::page(web, caller, key, (kind, id)).await;
        }
        _ => return Err(ApiError::not_found()),
    };
    match tab {
        Tab::Overview => overview::page(web, caller, key).await,
        Tab::Structure => structure::page(web, caller, key).await,
        Tab::Look => look::page(request, web, caller, key).await,
        Tab::Address => address::page(web, caller, key).await,
        Tab::Access => access::page(web, caller, key).await,
        Tab::Redirects => redirects::page(request, web, caller, key).await,
        Tab::Git => git::page(request, web, caller, key).await,
        Tab::Renderer => renderer::page(web, caller, key).await,
    }
}

impl Opened {
    /// Loads a site for one of its pages. `of_page` adds the data that only this page shows.
    async fn load<T: Send + 'static>(
        web: &WebData,
        caller: Credentials,
        (organization, site): (OrganizationId, SiteId),
        of_page: impl Fn(&mut Reader<'_>, Self) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let shared = web.clone();
        let load = move |reader: &mut Reader<'_>| {
            let site = reader.site(organization, site)?.authorize(Action::ViewOrganization)?;
            let directory = Directory::load(reader, &shared, organization, None)?;
            of_page(reader, Self { directory, site })
        };
        web.state.read(caller, load).await
    }

    /// Returns whether the caller may change the site.
    fn manages(&self) -> bool {
        self.site.may(Action::ManageSites)
    }

    /// Returns the API path of the site.
    fn url(&self) -> String {
        format!("orgs/{}/sites/{}", self.site.organization, self.site.id)
    }

    /// Returns the address of a page of the site.
    fn at(&self, name: &str) -> String {
        let address = format!("/o/{}/sites/{}", self.site.organization, self.site.id);
        let path = if name.is_empty() { address } else { format!("{address}/{name}") };
        self.directory.frame.at(&path)
    }

    /// Returns a note for callers who cannot change the site.
    fn read_only(&self) -> Markup {
        html! { @if !self.manages() { p.note { "Only members with the role create can change sites." } } }
    }

    fn respond(&self, tab: Tab, main: &Markup) -> HttpResponse {
        self.directory.frame.respond(&self.page(tab, main))
    }

    fn page(&self, tab: Tab, main: &Markup) -> Page {
        let frame = &self.directory.frame;
        let title = &self.site.title;
        let name = Tab::ALL.iter().find(|(known, ..)| *known == tab).map_or("", |(_, _, name)| name);
        let main = html! {
            // The form and the preview of the look need the whole width, also while the page arrives.
            main.home.wide[tab == Tab::Look] id="workspace:content" {
                h1 { (title) }
                nav.tabs aria-label="Pages of the site" {
                    @for (other, path, name) in Tab::ALL {
                        a href=(self.at(path)) aria-current=[(other == tab).then_some("page")] { (name) }
                    }
                }
                (self.read_only())
                (main)
            }
        };
        let organization = self.site.organization;
        let mut crumbs = vec![
            Crumb { title: "Home".to_owned(), href: frame.home() },
            Crumb { title: "Sites".to_owned(), href: frame.at(&format!("/o/{organization}/sites")) },
        ];
        if tab != Tab::Overview {
            crumbs.push(Crumb { title: title.clone(), href: self.at("") });
        }
        Page {
            title: if tab == Tab::Overview { title.clone() } else { name.to_owned() },
            crumbs,
            assets: &["settings.css", "settings.js"],
            nav_label: "Organization",
            nav: self.directory.nav(Current::Sites),
            main,
            ..Page::default()
        }
    }
}
