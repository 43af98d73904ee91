//! Lists of change requests.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::change_requests::{ChangeRequestSort, Status};
use quire_domain::ids::{OrganizationId, RevisionId, SpaceId};
use quire_domain::list::Order;
use quire_domain::policy::Action;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::content::change_requests::{
    ChangeRequestFilter, ChangeRequestPosition, ChangeRequestRecord, ListedChangeRequest,
};
use quire_storage::content::store::ContentSelector;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;

use crate::state::WebData;
use crate::workspace::content::{Content, open, status_of, subject};
use crate::workspace::directory::{Current, Directory};
use crate::workspace::requests::{next, parameter, position};
use crate::workspace::shell::{Crumb, Frame, Page, counted, name_of};
use crate::workspace::space::{At, links};

/// Change requests per page of a list.
const MOST: u16 = 50;
/// Statuses in the order of the tabs.
const STATUSES: [(Status, &str); 4] = [
    (Status::Open, "Open"),
    (Status::Draft, "Drafts"),
    (Status::Merged, "Merged"),
    (Status::Archived, "Archived"),
];

/// Returns the number of open comments as text.
fn comments_in_words(count: i32) -> Option<String> {
    let count = u64::try_from(count).ok().filter(|count| *count > 0)?;
    Some(counted(count, "comment", "comments"))
}

/// Returns a change request as an item of a list.
pub(in crate::workspace) fn row(
    frame: &Frame,
    change: &ChangeRequestRecord,
    space_head: RevisionId,
    space: Option<&str>,
) -> Markup {
    let (icon, class, name) = status_of(change.status);
    let href = frame.at(&format!("/s/{}/~/changes/{}", change.space, change.number));
    html! {
        li {
            (frame.icon(icon, class))
            a.t href=(href) {
                (subject(change)) " "
                span { "#" (change.number) @if let Some(space) = space { " · " (space) } }
            }
            span.d {
                (name) " · by " (name_of(&change.created_by))
                @if let Some(comments) = comments_in_words(change.comments_open) { " · " (comments) }
            }
            span.w {
                @if change.is_outdated(space_head) && change.status != Status::Archived { span.pill { "Outdated" } }
                (frame.ago(change.updated_at))
            }
        }
    }
}

/// Returns the status in the query of a request.
fn asked_status(request: &HttpRequest) -> ApiResult<Status> {
    let Some(asked) = parameter(request, "status") else { return Ok(Status::Open) };
    let found = STATUSES.iter().find(|(status, _)| status.as_str() == asked);
    found.map(|(status, _)| *status).ok_or_else(ApiError::not_found)
}

/// Returns the filter for change requests with a status, most recently changed first.
pub(in crate::workspace) fn of_status(status: Status) -> ChangeRequestFilter {
    ChangeRequestFilter {
        status,
        contributor: None,
        creator: None,
        requested_reviewer: None,
        space: None,
        changed_page: None,
        sort: ChangeRequestSort::UpdatedAt,
        order: Order::Desc,
    }
}

fn tabs(address: &str, current: Status) -> Markup {
    html! {
        nav.tabs aria-label="Status" {
            @for (status, title) in STATUSES {
                a href={ (address) "?status=" (status.as_str()) } aria-current=[(status == current).then_some("page")] { (title) }
            }
        }
    }
}

fn list(address: &str, status: Status, rows: &Markup, total: u64, more: Option<&str>) -> Markup {
    html! {
        main.home id="workspace:content" {
            h1 { "Change requests" }
            p.sub { (counted(total, "change request", "change requests")) }
            (tabs(address, status))
            @if total == 0 {
                div.empty {
                    p { b { "No change requests with this status" } }
                    p { "A change request proposes changes of pages, so that others can review them before they are merged." }
                }
            } @else { ul.list { (rows) } }
            @if let Some(more) = more {
                p.pager { a.btn href={ (address) "?status=" (status.as_str()) "&page=" (more) } { "More change requests" } }
            }
        }
    }
}

/// Responds to `/s/{spaceId}/~/changes`.
pub(in crate::workspace) async fn of_space(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
) -> ApiResult<HttpResponse> {
    let status = asked_status(request)?;
    let name = format!("change requests of {space}: {}", status.as_str());
    let after: Option<ChangeRequestPosition> = position(request, &name)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let content = open(reader, &shared, space, ContentSelector::Space)?.shown;
        let record = reader.space(space)?.authorize(Action::ViewSpace)?;
        let slice = reader.change_requests_of(&record, of_status(status), after, MOST)?;
        Ok((content, slice))
    };
    let (content, slice): (Content, Slice<ChangeRequestRecord>) = web.state.read(caller, load).await?;
    let more = next(&slice, &name, ChangeRequestPosition::of)?;
    let (frame, head) = (&content.frame, content.space.head);
    let rows = html! { @for change in &slice.items { (row(frame, change, head, None)) } };
    let address = format!("{}/~/changes", content.place.of_space());
    let page = Page {
        title: "Change requests".to_owned(),
        crumbs: vec![Crumb { title: content.space.title.clone(), href: content.place.of_space() }],
        nav_label: "Space",
        nav: links(&content, Some(At::Changes)),
        main: list(&address, status, &rows, slice.total, more.as_deref()),
        ..Page::default()
    };
    Ok(frame.respond(&page))
}

/// Responds to `/o/{organizationId}/changes`.
pub(in crate::workspace) async fn of_organization(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let status = asked_status(request)?;
    let name = format!("change requests of {id}: {}", status.as_str());
    let after: Option<ChangeRequestPosition> = position(request, &name)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let directory = Directory::load(reader, &shared, id, None)?;
        let organization = &directory.organization;
        let slice = reader.change_requests_of_organization(organization, of_status(status), after, MOST)?;
        let titles =
            directory.titles(reader, slice.items.iter().map(|listed| listed.change_request.space))?;
        Ok((directory, slice, titles))
    };
    let (directory, slice, titles) = web.state.read(caller, load).await?;
    let more = next(&slice, &name, |listed| ChangeRequestPosition::of(&listed.change_request))?;
    let frame = &directory.frame;
    let title = |space: SpaceId| titles.iter().find(|(id, _)| *id == space).map(|(_, title)| title.as_str());
    let rows = html! {
        @for ListedChangeRequest { change_request, space_head } in &slice.items {
            (row(frame, change_request, *space_head, title(change_request.space)))
        }
    };
    let address = frame.at(&format!("/o/{id}/changes"));
    let page = Page {
        title: "Change requests".to_owned(),
        crumbs: vec![Crumb { title: "Home".to_owned(), href: frame.home() }],
        nav_label: "Organization",
        nav: directory.nav(Current::Changes),
        main: list(&address, status, &rows, slice.total, more.as_deref()),
        ..Page::default()
    };
    Ok(frame.respond(&page))
}
