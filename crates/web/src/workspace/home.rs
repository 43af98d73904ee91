//! Start page: open work of the caller, and the spaces of an organization.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::change_requests::Status;
use quire_domain::ids::{OrganizationId, SiteId, SpaceId};
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::content::change_requests::{ChangeRequestFilter, ListedChangeRequest};
use quire_storage::content::hierarchy::PositionKey;
use quire_storage::content::spaces::ListedSpace;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::people::organizations::OrganizationRecord;

use super::actions;
use super::changes;
use super::directory::{Current, Directory};
use super::forms::{ApiForm, Field};
use super::requests::{next, position};
use super::shell::{Crumb, Frame, Page, counted};
use crate::state::{Web, WebData};

/// Maximum number of organizations in the list.
const MOST_ORGANIZATIONS: u16 = 100;
/// Maximum number of change requests in a list.
const MOST_CHANGES: u16 = 6;
/// Maximum length of an organization's title.
const LONGEST_TITLE: u32 = 128;
/// Name of the list of spaces in cursors.
const LIST: &str = "spaces on the start page";

/// Start page of an organization.
struct Home {
    directory: Directory,
    waiting: Slice<ListedChangeRequest>,
    drafts: Slice<ListedChangeRequest>,
    open: Slice<ListedChangeRequest>,
    titles: Vec<(SpaceId, String)>,
    /// Site to show first, with its address.
    site: Option<(String, String)>,
    more: Option<String>,
}

/// Start page of a caller.
enum Start {
    Home(Box<Home>),
    Organizations(Frame, Vec<OrganizationRecord>),
}

/// Responds to `/`: the only organization of the caller, or a list.
pub(super) async fn of_caller(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
) -> ApiResult<HttpResponse> {
    let after = position(request, LIST)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let organizations = reader.organizations(None, MOST_ORGANIZATIONS)?.items;
        match organizations.as_slice() {
            [only] => Ok(Start::Home(Box::new(Home::load(reader, &shared, only.id, after.as_ref())?))),
            _ => Ok(Start::Organizations(Frame::load(reader, &shared, None)?, organizations)),
        }
    };
    Ok(match web.state.read(caller, load).await? {
        Start::Home(home) => home.respond(),
        Start::Organizations(frame, organizations) => list(&frame, &organizations),
    })
}

/// Responds to `/o/{organizationId}`.
pub(super) async fn of_organization(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let after = position(request, LIST)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| Home::load(reader, &shared, id, after.as_ref());
    Ok(web.state.read(caller, load).await?.respond())
}

/// Responds to `/~/new-organization`.
pub(super) async fn new_organization(web: &WebData, caller: Credentials) -> ApiResult<HttpResponse> {
    let shared = web.clone();
    let frame = web.state.read(caller, move |reader| Frame::load(reader, &shared, None)).await?;
    let form = ApiForm {
        url: "orgs",
        next: Some("o/{id}"),
        submit: "Create organization",
        is_primary: true,
        ..ApiForm::default()
    };
    let main = html! {
        main.home id="workspace:content" {
            h1 { "New organization" }
            p.sub { "An organization has members, spaces and sites of its own. You become its administrator." }
            (form.with(html! {
                (Field { name: "title", label: "Title", is_required: true, longest: LONGEST_TITLE, ..Field::default() })
                (Field { name: "hostname", label: "Subdomain", hint: Some("Part of the addresses of its sites. It can be chosen later"), ..Field::default() })
            }))
        }
    };
    let nav = html! { ul { li { (frame.nav_link(&frame.at("/"), "house", "Organizations", false)) } } };
    let page = Page {
        title: "New organization".to_owned(),
        crumbs: vec![Crumb { title: "Home".to_owned(), href: frame.home() }],
        nav_label: "Organizations",
        nav,
        main,
        ..Page::default()
    };
    Ok(frame.respond(&page))
}

fn list(frame: &Frame, organizations: &[OrganizationRecord]) -> HttpResponse {
    let main = html! {
        main.home id="workspace:content" {
            h1 { "Organizations" }
            @if organizations.is_empty() {
                p.sub { "You are not a member of an organization yet." }
                div.empty { p { b { "Nothing to show" } } p { "Ask for an invitation, and open its link." } }
            } @else {
                p.sub { "Choose where you want to work." }
                ul.list {
                    @for organization in organizations {
                        li {
                            (frame.icon("users", ""))
                            a.t href=(frame.at(&format!("/o/{}", organization.id))) { (organization.title) }
                        }
                    }
                }
            }
            p { a.btn href=(frame.at("/~/new-organization")) { (frame.icon("plus", "")) "New organization" } }
        }
    };
    let nav = html! { ul { li { (frame.nav_link(&frame.at("/"), "house", "Organizations", true)) } } };
    let page =
        Page { title: "Organizations".to_owned(), nav_label: "Organizations", nav, main, ..Page::default() };
    frame.respond(&page)
}

/// Returns the title of the site to show first, and its address. Without publication, that is the page of its settings.
fn first_site(
    reader: &mut Reader<'_>,
    web: &Web,
    (organization, site): (OrganizationId, SiteId),
) -> ApiResult<(String, String)> {
    let site = reader.site(organization, site)?.authorize(Action::ViewOrganization)?;
    let address = match site.published {
        true => web.state.urls.at_address(&site.address()),
        false => web.state.urls.app(format_args!("o/{organization}/sites/{}", site.id)),
    };
    Ok((site.title.clone(), address))
}

impl Home {
    fn load(
        reader: &mut Reader<'_>,
        web: &Web,
        id: OrganizationId,
        after: Option<&PositionKey>,
    ) -> ApiResult<Self> {
        let directory = Directory::load(reader, web, id, after)?;
        let user = directory.organization.actor().user;
        let mut listed = |filter: ChangeRequestFilter| {
            reader.change_requests_of_organization(&directory.organization, filter, None, MOST_CHANGES)
        };
        let waiting = listed(ChangeRequestFilter {
            requested_reviewer: Some(user),
            ..changes::of_status(Status::Open)
        })?;
        let drafts =
            listed(ChangeRequestFilter { creator: Some(user), ..changes::of_status(Status::Draft) })?;
        let open = listed(changes::of_status(Status::Open))?;
        let all = [&waiting, &drafts, &open].into_iter().flat_map(|slice| &slice.items);
        let titles = directory.titles(reader, all.map(|listed| listed.change_request.space))?;
        let more = next(&directory.spaces, LIST, ListedSpace::key)?;
        let site = match directory.organization.first_site() {
            Some(site) => Some(first_site(reader, web, (id, site))?),
            None => None,
        };
        Ok(Self { directory, waiting, drafts, open, titles, site, more })
    }

    fn respond(&self) -> HttpResponse {
        let frame = &self.directory.frame;
        let organization = &self.directory.organization;
        let spaces = &self.directory.spaces;
        let changes = |status: &str| frame.at(&format!("/o/{}/changes?status={status}", organization.id));
        let main = html! {
            main.home id="workspace:content" {
                h1 { "Welcome, " (frame.person()) }
                p.sub { (self.summary()) }
                @if let Some((title, address)) = &self.site {
                    ul.list { li { (frame.icon("globe", "merged")) a.t href=(address) { (title) } span.d { "Site" } } }
                }
                (self.section("Waiting for your review", &self.waiting, &changes("open")))
                (self.section("Your drafts", &self.drafts, &changes("draft")))
                (self.section("Open change requests", &self.open, &changes("open")))
                h2 { "Spaces" }
                @let creates = organization.may(Action::CreateContent);
                @if creates && !spaces.items.is_empty() {
                    div.actions { (actions::new_space(frame, organization.id)) (actions::new_collection(frame, organization.id)) }
                }
                @if spaces.items.is_empty() && creates {
                    (actions::doors(frame, organization.id))
                } @else if spaces.items.is_empty() {
                    div.empty {
                        p { b { "No spaces yet" } }
                        p { "A space holds the pages of a product, a team or a project. Spaces that you may read are listed here." }
                    }
                } @else {
                    div.cards { @for listed in &spaces.items { (self.directory.card(&listed.space)) } }
                    @if let Some(more) = &self.more {
                        p.pager { a.btn href={ (frame.home()) "?page=" (more) } { "More spaces" } }
                    }
                }
            }
        };
        let page = Page {
            title: "Home".to_owned(),
            nav_label: "Organization",
            nav: self.directory.nav(Current::Home),
            main,
            ..Page::default()
        };
        frame.respond(&page)
    }

    fn summary(&self) -> String {
        match self.waiting.total {
            0 => "Nothing waits for your review.".to_owned(),
            1 => "1 change request waits for your review.".to_owned(),
            total => format!("{total} change requests wait for your review."),
        }
    }

    fn section(&self, title: &str, slice: &Slice<ListedChangeRequest>, all: &str) -> Markup {
        let frame = &self.directory.frame;
        html! {
            @if !slice.items.is_empty() {
                h2 {
                    (title)
                    @if slice.has_more { a href=(all) { "All " (counted(slice.total, "change request", "change requests")) } }
                }
                ul.list {
                    @for ListedChangeRequest { change_request, space_head } in &slice.items {
                        (changes::row(frame, change_request, *space_head, self.title_of(change_request.space)))
                    }
                }
            }
        }
    }

    fn title_of(&self, space: SpaceId) -> Option<&str> {
        self.titles.iter().find(|(id, _)| *id == space).map(|(_, title)| title.as_str())
    }
}
