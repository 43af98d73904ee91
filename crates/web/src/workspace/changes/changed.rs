//! List of the changes in a change request.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use maud::{Markup, html};
use quire_domain::change_requests::ViewedPages;
use quire_domain::ids::PageId;
use quire_revision::{Change, ChangedPage, Tree};
use serde_json::json;

use crate::workspace::content::Content;

/// Maximum number of changes in an overview.
const MOST_CHANGES: usize = 200;

/// Writes the changes: pages with the caller's marks, files and reusable contents.
pub(super) fn list(content: &Content, changes: &[Change], after: &Tree, viewed: &ViewedPages) -> Markup {
    let frame = &content.frame;
    let mut seen: HashSet<PageId> = HashSet::new();
    let of_page = |change: &Change, id: PageId| {
        // A page that was both moved and edited has two changes.
        let other = |other: &&Change| page_of(other).is_some_and(|page| page.id == id) && *other != change;
        changes.iter().find(other).map(word)
    };
    html! {
        @if changes.is_empty() {
            div.empty { p { b { "No changes yet" } } p { "Pages that are edited in this change request are listed here." } }
        } @else {
            (progress(content, changes, viewed))
            ul.list {
                @for change in changes.iter().take(MOST_CHANGES) {
                    @match page_of(change) {
                        Some(page) => {
                            @if seen.insert(page.id) {
                                li {
                                    (frame.icon(icon_of(change), class_of(change)))
                                    (page_link(content, change, page))
                                    span.d { (word(change)) @if let Some(also) = of_page(change, page.id) { ", " (also.to_lowercase()) } }
                                    @if content.rights.comments { (mark(page, after, viewed)) }
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
            @let more = changes.len().saturating_sub(MOST_CHANGES);
            @if more > 0 { p.muted { "And " (more) " more changes." } }
        }
    }
}

/// Writes how many of the changed pages the caller has viewed. `review.js` stores the marks of pages that are not
/// listed.
fn progress(content: &Content, changes: &[Change], viewed: &ViewedPages) -> Markup {
    let pages = |changes: &[Change]| -> BTreeSet<PageId> {
        changes.iter().filter_map(page_of).map(|page| page.id).collect()
    };
    let all = pages(changes);
    let listed = pages(changes.get(..MOST_CHANGES).unwrap_or(changes));
    let done = all.iter().filter(|page| viewed.pages.contains_key(page)).count();
    let others: BTreeMap<_, _> = viewed.pages.iter().filter(|(page, _)| !listed.contains(page)).collect();
    let url = content
        .change
        .as_ref()
        .map(|change| format!("spaces/{}/change-requests/{}/viewed", change.space, change.number));
    html! {
        @if content.rights.comments && !all.is_empty() {
            p.muted role="status" data-viewed=[url] data-total=(all.len()) data-others=(json!(others).to_string()) {
                (done) " of " (all.len()) " viewed"
            }
        }
    }
}

/// Writes the checkbox that marks a page as viewed.
fn mark(page: &ChangedPage, after: &Tree, viewed: &ViewedPages) -> Markup {
    let document = after.page(page.id).and_then(|page| page.document);
    html! {
        span.w {
            label.tick {
                input type="checkbox" aria-label={ "Viewed: " (page.title) } data-action="viewed" data-page=(page.id) data-document=[document]
                    checked[viewed.pages.contains_key(&page.id)];
                span { "Viewed" }
            }
        }
    }
}

fn page_link(content: &Content, change: &Change, page: &ChangedPage) -> Markup {
    let is_gone = matches!(change, Change::PageDeleted { .. });
    let path = page.path.as_ref().filter(|_| !is_gone);
    html! {
        @if let Some(path) = path { a.t href=(content.place.at(path)) { (page.title) } }
        @else { span.t { (page.title) } }
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
