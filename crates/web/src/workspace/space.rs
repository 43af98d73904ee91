//! Pages of a space: the page as readers see it, the tree, the outline and comments.

use std::collections::BTreeSet;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, PreEscaped, html};
use quire_domain::change_requests::Status;
use quire_domain::ids::{PageId, RevisionId, SpaceId};
use quire_domain::revisions::LayoutWidth;
use quire_markup::{emoji_character, is_right_to_left, plain_text};
use quire_render::{Heading, Options, Rendered, Words, icon_name, render, render_api};
use quire_revision::{PageNode, PageType};
use quire_server::{ApiError, ApiResult};
use quire_storage::content::change_requests::{ChangeRequestKey, ChangeRequestRecord};
use quire_storage::content::store::ContentSelector;
use quire_storage::lookup::Credentials;
use quire_storage::{Reader, Storage};

use super::actions;
use super::comments::Wanted;
use super::content::{Content, address_of, is_active, open, status, subject};
use super::pages::{Found, Reading, load};
use super::requests::parameter;
use super::shell::{Crumb, Page};
use super::tree::{TreeWriter, title_of};
use crate::assets;
use crate::state::{Web, WebData};

/// Maximum number of change requests named in a note above a page.
const MOST_NAMED: usize = 3;
/// Icons of hints: the editor shows those of new ones, too.
pub(super) const HINT_ICONS: [&str; 4] = ["q-info", "q-success", "q-warning", "q-danger"];

/// Responds with the page at a path of a space.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    path: &[String],
) -> ApiResult<HttpResponse> {
    answer(request, web, caller, (space, ContentSelector::Space), path).await
}

/// Responds with the page at a path of a change request.
pub(super) async fn page_of_change_request(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    (space, key): (SpaceId, ChangeRequestKey),
    path: &[String],
) -> ApiResult<HttpResponse> {
    answer(request, web, caller, (space, ContentSelector::ChangeRequest(key)), path).await
}

/// Responds with the page at a path of a revision.
pub(super) async fn page_of_revision(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    (space, id): (SpaceId, RevisionId),
    path: &[String],
) -> ApiResult<HttpResponse> {
    answer(request, web, caller, (space, ContentSelector::Revision(id)), path).await
}

async fn answer(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    of: (SpaceId, ContentSelector),
    path: &[String],
) -> ApiResult<HttpResponse> {
    let (shared, path) = (web.clone(), path.to_vec());
    let comments = Wanted::of(request)?;
    let find = move |reader: &mut Reader<'_>| load(reader, &shared, caller, of, &path, comments);
    match web.state.read(caller, find).await? {
        Found::Moved(address) => Ok(see_other(&address)),
        Found::Empty(content) => Ok(content.frame.respond(&empty(&content))),
        Found::Page(reading) => {
            let shared = web.clone();
            let work = move |_: &Storage| Ok::<_, ApiError>((write(&reading, &shared), reading));
            let (page, reading) = web.state.compute(work).await?;
            Ok(reading.content.frame.respond(&page))
        }
    }
}

/// Redirects to the page with an id.
pub(super) async fn page_by_id(
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    page: PageId,
) -> ApiResult<HttpResponse> {
    let shared = web.clone();
    let find = move |reader: &mut Reader<'_>| {
        let content = open(reader, &shared, space, ContentSelector::Space)?.shown;
        let page = content.tree.page(page).ok_or_else(ApiError::not_found)?;
        address_of(&content, page).ok_or_else(ApiError::not_found)
    };
    Ok(see_other(&web.state.read(caller, find).await?))
}

/// Responds with a level of the tree, which a script inserts.
pub(super) async fn level(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
) -> ApiResult<HttpResponse> {
    let id = |name| parameter(request, name).map(|id| id.parse::<PageId>()).transpose();
    let parent = id("parent").map_err(|_| ApiError::not_found())?;
    let after = id("after").map_err(|_| ApiError::not_found())?;
    let change = parameter(request, "change").map(|key| key.parse()).transpose();
    let change = change.map_err(|()| ApiError::not_found())?;
    let revision = parameter(request, "revision").map(|id| id.parse()).transpose();
    let revision = revision.map_err(|_| ApiError::not_found())?;
    let selector = match (change, revision) {
        (Some(key), _) => ContentSelector::ChangeRequest(key),
        (None, Some(id)) => ContentSelector::Revision(id),
        (None, None) => ContentSelector::Space,
    };
    let shared = web.clone();
    let find = move |reader: &mut Reader<'_>| Ok(open(reader, &shared, space, selector)?.shown);
    let content = web.state.read(caller, find).await?;
    let title = match parent {
        None => content.space.title.clone(),
        Some(parent) => title_of(content.tree.page(parent).ok_or_else(ApiError::not_found)?).to_owned(),
    };
    let mut icons = BTreeSet::new();
    let writer = TreeWriter::new(&content.frame, &content.place, &content.tree, None)
        .marked(&content.marks)
        .edited(edited_at(&content).is_some());
    let tree = writer.one_level(parent, after, &mut icons);
    let main = html! {
        main.home id="workspace:content" { h1 { "Pages of " (title) } div.nav.tree id="workspace:level" { (tree) } }
    };
    let page = Page {
        crumbs: vec![Crumb { title: content.space.title.clone(), href: content.place.of_space() }],
        title,
        nav_label: "Space",
        nav: links(&content, None),
        main,
        icons,
        ..Page::default()
    };
    Ok(content.frame.respond(&page))
}

/// Redirects to the address of a page.
pub(super) fn see_other(address: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, address))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .finish()
}

/// Current link in the navigation of a space.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    Changes,
    Files,
    Import,
}

/// Returns the links of a space other than pages.
pub(super) fn links(content: &Content, at: Option<At>) -> Markup {
    let Content { frame, place, space, .. } = content;
    let changes = format!("{}/~/changes", place.of_space());
    let files = format!("{}/~/files", place.of_space());
    let import = format!("{}/~/import", place.of_space());
    html! {
        ul {
            li { (frame.nav_link(&frame.home(), "house", "Home", false)) }
            li {
                a href=(changes) aria-current=[(at == Some(At::Changes)).then_some("page")] {
                    (frame.icon("git-pull-request", "")) "Change requests"
                    @if space.change_requests_open > 0 {
                        span.count { (space.change_requests_open) span.hidden-text { " open" } }
                    }
                }
            }
            li { (frame.nav_link(&format!("{}/~/history", place.of_space()), "history", "History", false)) }
            li { (frame.nav_link(&files, "image", "Files", at == Some(At::Files))) }
            @if content.rights.edits {
                li { (frame.nav_link(&import, "plus", "Import", at == Some(At::Import))) }
                li { (frame.nav_link(&format!("{}/~/trash", place.of_space()), "trash-2", "Deleted pages", false)) }
            }
            @if let Some(git) = space.git_sync.as_ref().filter(|_| content.rights.edits) {
                li {
                    a href={ (place.of_space()) "/~/git" } {
                        (frame.icon("git-merge", "")) "Git"
                        @if git.has_failed() { " " span.pill.bad { "Failed" } }
                    }
                }
            }
            @if content.rights.administers {
                li { (frame.nav_link(&format!("{}/~/settings", place.of_space()), "settings", "Settings", false)) }
            }
        }
    }
}

/// Returns the API path of the content if its tree can be changed in place: the content of an active change request.
fn edited_at(content: &Content) -> Option<String> {
    let change = content.change.as_ref().filter(|change| content.rights.edits && is_active(change))?;
    Some(format!("spaces/{}/change-requests/{}/content", content.space.id, change.number))
}

/// Returns the navigation of a space: its links, and the tree of pages. `tree.js` makes the tree of a change request
/// editable.
pub(super) fn nav(content: &Content, page: Option<PageId>, icons: &mut BTreeSet<String>) -> Markup {
    let Content { frame, place, space, tree, marks, .. } = content;
    let edits = edited_at(content);
    let writer = TreeWriter::new(frame, place, tree, page).marked(marks).edited(edits.is_some());
    html! {
        (links(content, Some(At::Changes).filter(|_| place.change.is_some() && page.is_none())))
        div.tree-head {
            h2 { (space.title) }
            @if edits.is_some() {
                button.btn.ghost type="button" data-add-page="" aria-label="Add a page" { (frame.icon("plus", "")) }
            }
        }
        @let script = edits.as_ref().map(|_| assets::path(&frame.prefix, "tree.js"));
        nav.tree aria-label="Pages" data-edits=[edits] data-script=[script] { (writer.write(icons)) }
    }
}

fn empty(content: &Content) -> Page {
    let title = content.space.title.clone();
    let main = html! {
        main.home id="workspace:content" {
            h1 { (title) }
            div.empty { p { b { "No pages yet" } } p { "Pages that are written or imported into this space appear here." } }
            @if content.rights.edits {
                div.actions {
                    (actions::new_page(content, None))
                    a.btn href={ (content.place.of_space()) "/~/import" } { "Import pages" }
                    (actions::publish(content))
                }
            }
        }
    };
    Page { title, nav_label: "Space", nav: links(content, None), main, ..Page::default() }
}

/// Returns the ancestors of a page as breadcrumbs.
fn crumbs(content: &Content, page: &PageNode) -> Vec<Crumb> {
    let Content { place, space, tree, change, .. } = content;
    let mut crumbs: Vec<Crumb> = tree
        .ancestors(page.id)
        .filter_map(|above| {
            Some(Crumb { title: title_of(above).to_owned(), href: address_of(content, above)? })
        })
        .collect();
    if let Some(change) = change {
        crumbs.push(Crumb { title: format!("#{} {}", change.number, subject(change)), href: place.root() });
    }
    if place.revision.is_some() {
        crumbs.push(Crumb { title: "Revision".to_owned(), href: place.root() });
        crumbs.push(Crumb { title: "History".to_owned(), href: format!("{}/~/history", place.of_space()) });
    }
    crumbs.push(Crumb { title: space.title.clone(), href: place.of_space() });
    crumbs.reverse();
    crumbs
}

fn write(reading: &Reading, web: &Web) -> Page {
    let Reading { content, page, layout, document, piece, resolved, cover, threads, changes } = reading;
    let is_edited = piece.is_none() && actions::is_editable(content, page);
    let is_reversed = is_right_to_left(&format!("{} {}", page.title, plain_text(document)));
    let options = Options {
        highlighter: &web.highlighter,
        words: &Words::ENGLISH,
        is_right_to_left: is_reversed,
        opens_tabs: false,
        links_headings: layout.anchors,
        names_blocks: piece.is_none(),
    };
    let rendered = match piece {
        Some(piece) => render_api(piece, resolved, &options),
        None => render(document, resolved, &options),
    };
    let mut icons = rendered.icons.clone();
    icons.extend(page.icon.as_deref().map(icon_name));
    if is_edited {
        icons.extend(HINT_ICONS.map(str::to_owned));
    }
    let nav = nav(content, Some(page.id), &mut icons);
    let of_comments =
        Options { is_right_to_left: false, links_headings: false, names_blocks: false, ..options };
    let comments = threads.as_ref().map(|threads| threads.write(content, resolved, &of_comments, &mut icons));
    let direction = is_reversed.then_some("rtl");
    let main = html! {
        div.work {
            main.page id="workspace:content" data-wide[layout.width == LayoutWidth::Wide] {
                (notes(content, page, is_edited))
                (open_changes(content, changes))
                @if is_edited { (actions::edit_bar(content, page)) }
                @else if content.place.revision.is_none() { (actions::of_page(content, page)) }
                @if let Some(cover) = cover.as_ref().filter(|_| layout.cover) { (cover.write()) }
                h1.title dir=[direction] { (heading(page)) }
                @if let Some(description) = page.description.as_deref().filter(|text| !text.is_empty() && piece.is_none()) {
                    p.lead dir=[direction] { (description) }
                }
                @let number = content.place.change.filter(|_| is_edited);
                article.document dir=[direction] data-editor=[number.map(|_| "")] data-base=[number.map(|_| &content.frame.prefix)]
                    data-space=[number.map(|_| content.space.id)] data-change-request=[number] data-page=[number.map(|_| page.id)]
                    data-person=[number.map(|_| content.rights.user)] { (PreEscaped(&rendered.html)) }
                (neighbors(content, page))
            }
            @let has_outline = !rendered.outline.is_empty();
            @let shown = threads.as_ref().map(|threads| if !has_outline || is_edited || threads.are_first() { "comments" } else { "outline" });
            aside.side aria-label="About this page" data-shown=[shown] {
                @if let Some((threads, shown)) = threads.as_ref().zip(shown) {
                    @let current = |name: &str| (name == shown).then_some("true");
                    nav.tabs aria-label="Panel" {
                        a href="#workspace:comments" data-panel="comments" aria-current=[current("comments")] {
                            "Comments" span.n data-live="comment-count" { @if threads.total > 0 { (threads.total) } }
                        }
                        @if has_outline { a href="#workspace:outline" data-panel="outline" aria-current=[current("outline")] { "Outline" } }
                        a href={ (content.place.of_space()) "/~/history?page=" (page.id) } { "History" }
                    }
                }
                @if has_outline { (outline(&rendered)) }
                @if let Some(comments) = comments { (comments) }
            }
        }
    };
    Page {
        title: page.title.clone(),
        crumbs: crumbs(content, page),
        status: content.change.as_ref().map(|change| status(&content.frame, change.status)),
        nav_label: "Space",
        nav,
        main,
        icons,
        frames: rendered.frame_hosts,
        has_document: true,
        is_edited,
        watched: content.place.revision.is_none().then(|| content.watched(Some(page.id))),
        ..Page::default()
    }
}

fn heading(page: &PageNode) -> Markup {
    html! {
        @if let Some(emoji) = &page.emoji { span aria-hidden="true" { (emoji_character(emoji)) " " } }
        @else if let Some(icon) = &page.icon {
            svg.icon aria-hidden="true" { use href={ "#i:" (icon_name(icon)) } {} } " "
        }
        span data-title="" { (page.title) }
    }
}

/// Returns notes above a page.
fn notes(content: &Content, page: &PageNode, is_edited: bool) -> Markup {
    let Content { frame, place, change, .. } = content;
    html! {
        @if let Some(change) = change.as_ref().filter(|_| !is_edited) {
            p.note {
                (frame.icon("git-pull-request", ""))
                span { "This page is part of a change request." }
                a href=(place.root()) { "#" (change.number) " " (subject(change)) }
            }
        }
        @if place.revision.is_some() {
            p.note {
                (frame.icon("history", ""))
                span { "This page is part of a revision, and may have changed since." }
                a href=(place.root()) { "Changes of the revision" }
            }
        }
        @if page.hidden {
            p.note { (frame.icon("eye", "")) span { "This page is hidden from visitors of sites." } }
        }
    }
}

/// Returns links to active change requests with changes of a page: open ones, and the caller's drafts.
fn open_changes(content: &Content, changes: &[ChangeRequestRecord]) -> Markup {
    let (drafts, open): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.status == Status::Draft);
    let Content { frame, place, .. } = content;
    let note = |words: &str, changes: &[&ChangeRequestRecord]| {
        html! {
            p.note {
                (frame.icon("git-pull-request", ""))
                span { (words) }
                @for change in changes.iter().take(MOST_NAMED) {
                    a href={ (place.of_space()) "/~/changes/" (change.number) } { "#" (change.number) " " (subject(change)) }
                }
                @if changes.len() > MOST_NAMED { a href={ (place.of_space()) "/~/changes" } { "All change requests" } }
            }
        }
    };
    let words = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one} changes this page:"),
        _ => format!("{count} {many} change this page:"),
    };
    html! {
        @if !open.is_empty() { (note(&words(open.len(), "open change request", "open change requests"), &open)) }
        @if !drafts.is_empty() { (note(&words(drafts.len(), "draft of yours", "drafts of yours"), &drafts)) }
    }
}

fn outline(rendered: &Rendered) -> Markup {
    let shown = |heading: &&Heading| heading.rank < 3;
    html! {
        section.of-outline {
            nav.outline aria-labelledby="workspace:outline" {
                h2 id="workspace:outline" { "On this page" }
                ul {
                    @for heading in rendered.outline.iter().filter(shown) {
                        li data-rank=(heading.rank) { a href={ "#" (heading.anchor) } { (heading.title) } }
                    }
                }
            }
        }
    }
}

/// Returns links to the previous and the next page in tree order.
fn neighbors(content: &Content, page: &PageNode) -> Markup {
    let is_read = |page: &&PageNode| page.page_type() == PageType::Document;
    let link = |page: &PageNode| Some((address_of(content, page)?, title_of(page).to_owned()));
    let Some(page) = content.tree.page(page.id) else { return html! {} };
    let previous = content.tree.pages_before(page).find(is_read).and_then(link);
    let next = content.tree.pages_after(page).find(is_read).and_then(link);
    html! {
        @if previous.is_some() || next.is_some() {
            nav.neighbors aria-label="Previous and next page" {
                @if let Some((href, title)) = previous { a rel="prev" href=(href) { small { "Previous" } (title) } }
                @if let Some((href, title)) = next { a.next rel="next" href=(href) { small { "Next" } (title) } }
            }
        }
    }
}
