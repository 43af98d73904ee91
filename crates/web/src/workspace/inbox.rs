//! Inbox of the caller.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_content::inbox::{excerpt, sentence};
use quire_domain::ids::InboxEntryId;
use quire_domain::inbox::InboxEntryType;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::people::inbox::InboxItem;

use super::forms::ApiForm;
use super::requests::{next, parameter, position};
use super::shell::{Crumb, Frame, Page};
use crate::state::WebData;

/// Entries per page.
const MOST: u16 = 50;
/// API path of the request that marks entries as read.
const READ: &str = "user/inbox/read";

/// Responds to `/~/inbox`: the unread entries, or all entries with `?show=all`.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
) -> ApiResult<HttpResponse> {
    let is_all = parameter(request, "show").is_some_and(|show| show == "all");
    let list = if is_all { "inbox" } else { "unread inbox" };
    let below: Option<InboxEntryId> = position(request, list)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let frame = Frame::load(reader, &shared, None)?;
        let entries = reader.own_inbox(!is_all, below, MOST)?;
        Ok((frame, entries))
    };
    let (frame, entries) = web.state.read(caller, load).await?;
    let more = next(&entries, list, |entry| entry.id)?;
    let nav = html! {
        ul {
            li { (frame.nav_link(&frame.at("/"), "house", "Home", false)) }
            li { (frame.nav_link(&frame.at("/~/inbox"), "bell", "Inbox", true)) }
        }
    };
    let page = Page {
        title: "Inbox".to_owned(),
        crumbs: vec![Crumb { title: "Home".to_owned(), href: frame.home() }],
        nav_label: "Start",
        nav,
        main: main(&frame, &entries, is_all, more.as_deref()),
        ..Page::default()
    };
    Ok(frame.respond(&page))
}

fn main(frame: &Frame, entries: &Slice<InboxItem>, is_all: bool, more: Option<&str>) -> Markup {
    let address = frame.at("/~/inbox");
    let tab = |is_it: bool| is_it.then_some("page");
    html! {
        main.home id="workspace:content" {
            h1 { "Inbox" }
            div.inbox-head {
                nav.tabs aria-label="Entries" {
                    a href=(address) aria-current=[tab(!is_all)] { "Unread" }
                    a href={ (address) "?show=all" } aria-current=[tab(is_all)] { "All" }
                }
                @if entries.items.iter().any(|entry| entry.read_at.is_none()) {
                    (ApiForm { url: READ, body: Some("{}"), submit: "Mark all as read", ..ApiForm::default() }.alone("Mark all as read"))
                }
            }
            @if entries.items.is_empty() {
                div.empty {
                    p { b { @if is_all { "Your inbox is empty" } @else { "You have read everything" } } }
                    p { "Requests to review, mentions, replies, conflicts and finished imports come here." }
                }
            } @else { ul.list.inbox { @for entry in &entries.items { (row(frame, entry)) } } }
            @if let Some(more) = more {
                p.pager { a.btn href={ (address) "?page=" (more) @if is_all { "&show=all" } } { "Older entries" } }
            }
        }
    }
}

fn row(frame: &Frame, entry: &InboxItem) -> Markup {
    let sentence = sentence(entry);
    let is_unread = entry.read_at.is_none();
    let body = format!("{{\"entries\":[\"{}\"]}}", entry.id);
    let label = format!("Mark as read: {sentence}");
    html! {
        li.unread[is_unread] {
            (frame.icon(icon(entry), ""))
            a.t href=(frame.at(&format!("/{}", entry.app_path()))) data-entry=[is_unread.then_some(entry.id)] {
                @if is_unread { span.hidden-text { "Unread: " } }
                (sentence) " "
                span { (entry.space.title) }
            }
            @if let Some(excerpt) = excerpt(entry) { span.d { (excerpt) } }
            span.w {
                (frame.ago(entry.created_at))
                @if is_unread {
                    (ApiForm { url: READ, body: Some(&body), submit: "Mark as read", ..ApiForm::default() }.alone(&label))
                }
            }
        }
    }
}

const fn icon(entry: &InboxItem) -> &'static str {
    match entry.facts.type_ {
        InboxEntryType::ReviewRequest => "git-pull-request",
        InboxEntryType::Mention | InboxEntryType::Reply => "message-square",
        InboxEntryType::Conflict => "triangle-alert",
        InboxEntryType::Import => "file-text",
    }
}
