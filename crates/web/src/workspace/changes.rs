//! Change requests: lists, and the overview of one.

use std::collections::{BTreeSet, HashSet};

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::change_requests::{ChangeRequestSort, Status};
use quire_domain::documents::Format;
use quire_domain::ids::{OrganizationId, PageId, RevisionId, SpaceId};
use quire_domain::list::Order;
use quire_domain::policy::Action;
use quire_domain::reviews::ReviewStatus;
use quire_render::{DifferenceView, Options, Resolved, Words};
use quire_revision::{Change, ChangedPage, diff};
use quire_server::{ApiError, ApiResult};
use quire_storage::change_requests::{ChangeRequestFilter, ChangeRequestPosition, ListedChangeRequest};
use quire_storage::list::Slice;
use quire_storage::lookup::{ChangeRequestKey, ChangeRequestRecord, ContentSelector, Credentials};
use quire_storage::reviews::{Asked, ReviewFilter, ReviewerRecord, ShownReview};
use quire_storage::{Reader, Storage};

use super::actions;
use super::comments::{Threads, Wanted};
use super::conflicts;
use super::content::{Content, is_active, open, subject};
use super::differences::Differences;
use super::directory::{Current, Directory};
use super::documents::Targets;
use super::requests::{next, parameter, position};
use super::shell::{Crumb, Frame, Page, avatar, counted, name_of};
use super::space::{At, links, nav};
use crate::state::WebData;

/// Change requests on a page of a list.
const MOST: u16 = 50;
/// Changes of an overview.
const MOST_CHANGES: usize = 200;
/// Reviews and reviewers of an overview.
const MOST_REVIEWS: u16 = 50;
/// Statuses in the order of the tabs.
const STATUSES: [(Status, &str); 4] = [
    (Status::Open, "Open"),
    (Status::Draft, "Drafts"),
    (Status::Merged, "Merged"),
    (Status::Archived, "Archived"),
];

/// Returns a number of open comments in words.
fn comments_in_words(count: i32) -> Option<String> {
    let count = u64::try_from(count).ok().filter(|count| *count > 0)?;
    Some(counted(count, "comment", "comments"))
}

/// Returns the icon of a status, and its name.
fn status_of(status: Status) -> (&'static str, &'static str, &'static str) {
    match status {
        Status::Draft => ("pencil", "draft", "Draft"),
        Status::Open => ("git-pull-request", "open", "Open"),
        Status::Archived => ("x", "draft", "Archived"),
        Status::Merged => ("git-merge", "merged", "Merged"),
    }
}

/// Returns a change request as an item of a list.
pub(super) fn row(
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

/// Status that a list is asked for.
fn asked_status(request: &HttpRequest) -> ApiResult<Status> {
    let Some(asked) = parameter(request, "status") else { return Ok(Status::Open) };
    let found = STATUSES.iter().find(|(status, _)| status.as_str() == asked);
    found.map(|(status, _)| *status).ok_or_else(ApiError::not_found)
}

/// Returns the filter of the change requests with a status. The one that changed last is the first.
pub(super) fn of_status(status: Status) -> ChangeRequestFilter {
    ChangeRequestFilter {
        status,
        contributor: None,
        creator: None,
        requested_reviewer: None,
        space: None,
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

/// Answers `/s/{spaceId}/~/changes`.
pub(super) async fn of_space(
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

/// Answers `/o/{organizationId}/changes`.
pub(super) async fn of_organization(
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

/// Everything that an overview shows.
struct Overview {
    content: Content,
    change: ChangeRequestRecord,
    changes: Vec<Change>,
    differences: Differences,
    reviewers: Vec<ReviewerRecord>,
    reviews: Vec<ShownReview>,
    threads: Threads,
    /// Number of conflicts with the space.
    conflicts: u64,
    resolved: Resolved,
}

/// Answers `/s/{spaceId}/~/changes/{changeRequest}`.
pub(super) async fn overview(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    key: ChangeRequestKey,
) -> ApiResult<HttpResponse> {
    let shared = web.clone();
    let comments = Wanted::of(request);
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, ContentSelector::ChangeRequest(key))?;
        let record = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
        let after = reader.tree(&opened.content)?;
        let before = reader.tree_before(&opened.content)?;
        let changes = diff(&before, &after);
        let differences = Differences::load(reader, &shared, caller, &opened, [&before, &after], &changes)?;
        let threads = Threads::load(reader, &opened.content, None, comments)?;
        let conflicts = match is_active(&record.item) && record.item.is_outdated(record.space.head) {
            true => conflicts::count(&reader.conflicts_of(&record)?.1),
            false => 0,
        };
        let content = opened.shown;
        let targets = Targets::new(&content.place, &shared.state.signer, &shared.expansions, &content.tree);
        let named = threads.references();
        let targets = targets.load(reader, caller, &opened.organization, &opened.content, named)?;
        let filter = ReviewFilter { outdated: None, format: Format::Document };
        let loaded = Overview {
            change: record.item.clone(),
            reviewers: reader.requested_reviewers(&record, None, MOST_REVIEWS)?.items,
            reviews: reader.reviews(&record, filter, None, MOST_REVIEWS)?.items,
            changes,
            differences,
            threads,
            conflicts,
            resolved: Resolved { targets, ..Resolved::default() },
            content,
        };
        Ok(loaded)
    };
    let loaded = web.state.read(caller, load).await?;
    let shared = web.clone();
    let write = move |_: &Storage| {
        let options = Options {
            links_headings: false,
            words: &Words::ENGLISH,
            ..Options::english(&shared.highlighter)
        };
        Ok::<_, ApiError>((loaded.write(&options)?, loaded))
    };
    let (page, loaded) = web.state.compute(write).await?;
    Ok(loaded.content.frame.respond(&page))
}

impl Overview {
    fn write(&self, options: &Options<'_>) -> ApiResult<Page> {
        let Self { content, change, threads, resolved, .. } = self;
        let frame = &content.frame;
        let (icon, class, name) = status_of(change.status);
        let mut icons = BTreeSet::new();
        let comments = threads.write(content, resolved, options, &mut icons);
        let differences =
            self.differences.write(content, DifferenceView::Inline, options, &|_| html! {}, &mut icons)?;
        let author = name_of(&change.created_by);
        let main = html! {
            main.home id="workspace:content" {
                header.cr-head {
                    h1 { (subject(change)) " " span { "#" (change.number) } }
                    p.cr-line {
                        span class={ "pill " (class) } { (frame.icon(icon, "")) (name) }
                        (avatar(&author)) b { (author) }
                        span { "opened this " (frame.ago(change.created_at)) ", last changed " (frame.ago(change.updated_at)) }
                    }
                }
                (actions::of_change(content, change, self.conflicts))
                div.cr {
                    div {
                        h2 { "Changes" }
                        (self.changes())
                        (differences)
                        (comments)
                    }
                    aside.rail aria-label="Review" {
                        @if is_active(change) { (self.readiness()) }
                        h2 { "Reviewers" }
                        (self.reviewers())
                        @if is_active(change) && content.rights.edits { (actions::ask_reviewer(content, change)) }
                    }
                }
            }
        };
        let nav = nav(content, None, &mut icons);
        Ok(Page {
            title: format!("#{} {}", change.number, subject(change)),
            crumbs: vec![
                Crumb { title: content.space.title.clone(), href: content.place.of_space() },
                Crumb {
                    title: "Change requests".to_owned(),
                    href: format!("{}/~/changes", content.place.of_space()),
                },
            ],
            nav_label: "Space",
            nav,
            main,
            icons,
            ..Page::default()
        })
    }

    fn changes(&self) -> Markup {
        let frame = &self.content.frame;
        let mut seen: HashSet<PageId> = HashSet::new();
        let of_page = |change: &Change, id: PageId| {
            // A page that was moved and edited has two changes.
            let other =
                |other: &&Change| page_of(other).is_some_and(|page| page.id == id) && *other != change;
            self.changes.iter().find(other).map(word)
        };
        html! {
            @if self.changes.is_empty() {
                div.empty { p { b { "No changes yet" } } p { "Pages that are edited in this change request are listed here." } }
            } @else {
                ul.list {
                    @for change in self.changes.iter().take(MOST_CHANGES) {
                        @match page_of(change) {
                            Some(page) => {
                                @if seen.insert(page.id) {
                                    li {
                                        (frame.icon(icon_of(change), class_of(change)))
                                        (self.page_link(change, page))
                                        span.d { (word(change)) @if let Some(also) = of_page(change, page.id) { ", " (also.to_lowercase()) } }
                                    }
                                }
                            }
                            None => {
                                li {
                                    (frame.icon(icon_of(change), class_of(change)))
                                    span.t { (title_of(change)) }
                                    span.d { (word(change)) }
                                }
                            }
                        }
                    }
                }
                @let more = self.changes.len().saturating_sub(MOST_CHANGES);
                @if more > 0 { p.muted { "And " (more) " more changes." } }
            }
        }
    }

    fn page_link(&self, change: &Change, page: &ChangedPage) -> Markup {
        let is_gone = matches!(change, Change::PageDeleted { .. });
        let path = page.path.as_ref().filter(|_| !is_gone);
        html! {
            @if let Some(path) = path { a.t href=(self.content.place.at(path)) { (page.title) } }
            @else { span.t { (page.title) } }
        }
    }

    /// Writes what is missing for a merge, in words.
    fn readiness(&self) -> Markup {
        let Self { content, change, conflicts, .. } = self;
        let frame = &content.frame;
        let check = |is_met: bool, words: &str, link: Option<&str>| {
            let icon = if is_met {
                frame.icon("circle-check", "merged")
            } else {
                frame.icon("triangle-alert", "open")
            };
            html! { li { (icon) (words) @if let Some(href) = link { a.end href=(href) { "Show" span.hidden-text { ": " (words) } } } } }
        };
        let mut seen = HashSet::new();
        // The newest review of each person counts.
        let latest: Vec<&ShownReview> =
            self.reviews.iter().filter(|shown| seen.insert(shown.review.reviewer.id())).collect();
        let with = |status: ReviewStatus| {
            let count = latest.iter().filter(|shown| shown.review.status == status).count();
            u64::try_from(count).unwrap_or(u64::MAX)
        };
        let (approved, refused) = (with(ReviewStatus::Approved), with(ReviewStatus::ChangesRequested));
        let open = u64::try_from(change.comments_open).unwrap_or_default();
        let to_conflicts = format!("{}/~conflicts", content.place.root());
        html! {
            h2 { "Ready to merge?" }
            ul.checks data-live="checks" {
                @if change.status == Status::Draft { (check(false, "Not sent for review yet", None)) }
                @match approved {
                    0 => (check(false, "No approval yet", None)),
                    count => (check(true, &counted(count, "approval", "approvals"), None)),
                }
                @if refused > 0 {
                    (check(false, &format!("{} requested changes", counted(refused, "person", "people")), None))
                }
                @match *conflicts {
                    0 if change.is_outdated(content.space.head) => {
                        (check(true, "No conflicts with the newer changes of the space", None))
                    },
                    0 => (check(true, "No conflicts with the space", None)),
                    count => (check(false, &format!("{} with the space", counted(count, "conflict", "conflicts")), Some(&to_conflicts))),
                }
                @match open {
                    0 => (check(true, "No open comments", None)),
                    count => (check(false, &counted(count, "open comment", "open comments"), Some("#workspace:comments"))),
                }
                @if !content.rights.merges { (check(false, "Merging needs the role review on this space", None)) }
            }
        }
    }

    fn reviewers(&self) -> Markup {
        let frame = &self.content.frame;
        let is_reviewed = |asked: &Asked| match asked {
            Asked::User(user) => self.reviews.iter().any(|shown| shown.review.reviewer.id() == user.id()),
            Asked::Team(_) => false,
        };
        let mut seen = HashSet::new();
        html! {
            ul.people {
                // The newest review of each person counts.
                @for shown in &self.reviews {
                    @let review = &shown.review;
                    @if seen.insert(review.reviewer.id()) {
                        @let name = name_of(&review.reviewer);
                        li {
                            (avatar(&name)) (name)
                            span.end {
                                @match review.status {
                                    ReviewStatus::Approved => { span.pill.merged { (frame.icon("check", "")) "Approved" } }
                                    ReviewStatus::ChangesRequested => { span.pill.bad { (frame.icon("x", "")) "Requested changes" } }
                                }
                            }
                        }
                    }
                }
                @for reviewer in self.reviewers.iter().filter(|reviewer| !is_reviewed(&reviewer.asked)) {
                    @let name = match &reviewer.asked { Asked::User(user) => name_of(user), Asked::Team(_) => "A team".to_owned() };
                    li { (avatar(&name)) (name) span.end { span.pill.open { "Waiting" } } }
                }
            }
            @if self.reviews.is_empty() && self.reviewers.is_empty() { p.muted { "No reviews yet." } }
        }
    }
}

fn page_of(change: &Change) -> Option<&ChangedPage> {
    match change {
        Change::PageCreated { page }
        | Change::PageEdited { page, .. }
        | Change::PageMoved { page, .. }
        | Change::PageDeleted { page } => Some(page),
        _ => None,
    }
}

/// Returns the title of a changed file or reusable content.
fn title_of(change: &Change) -> &str {
    match change {
        Change::FileCreated { file } | Change::FileEdited { file, .. } | Change::FileDeleted { file } => {
            &file.name
        }
        Change::ReusableContentCreated { content }
        | Change::ReusableContentEdited { content, .. }
        | Change::ReusableContentDeleted { content } => &content.title,
        _ => "",
    }
}

fn word(change: &Change) -> &'static str {
    match change {
        Change::PageCreated { .. } => "New page",
        Change::PageEdited { .. } => "Edited",
        Change::PageMoved { .. } => "Moved",
        Change::PageDeleted { .. } => "Deleted page",
        Change::FileCreated { .. } => "New file",
        Change::FileEdited { .. } => "Changed file",
        Change::FileDeleted { .. } => "Deleted file",
        Change::ReusableContentCreated { .. } => "New reusable content",
        Change::ReusableContentEdited { .. } => "Edited reusable content",
        Change::ReusableContentDeleted { .. } => "Deleted reusable content",
    }
}

fn icon_of(change: &Change) -> &'static str {
    match change {
        Change::PageCreated { .. } | Change::FileCreated { .. } | Change::ReusableContentCreated { .. } => {
            "plus"
        }
        Change::PageDeleted { .. } | Change::FileDeleted { .. } | Change::ReusableContentDeleted { .. } => {
            "trash-2"
        }
        Change::PageMoved { .. } => "arrow-right",
        Change::PageEdited { .. } => "pencil",
        Change::FileEdited { .. } => "image",
        Change::ReusableContentEdited { .. } => "layers",
    }
}

fn class_of(change: &Change) -> &'static str {
    match icon_of(change) {
        "plus" => "merged",
        "trash-2" => "bad",
        _ => "draft",
    }
}
