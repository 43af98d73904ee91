//! Text of a reusable content. In a change request, the editor replaces it.

use std::collections::BTreeSet;

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, PreEscaped, html};
use quire_domain::ids::{ReusableContentId, SpaceId};
use quire_markup::{Document, is_right_to_left, plain_text};
use quire_render::{Options, Resolved, Words, render};
use quire_revision::ReusableContentNode;
use quire_server::{ApiError, ApiResult};
use quire_storage::lookup::Credentials;
use quire_storage::{Reader, Storage};
use serde_json::json;

use super::actions::request_review;
use super::content::{Content, can_edit, open, selector, status};
use super::forms::{Area, Field};
use super::pages::{resolve, shown_document};
use super::shell::{Crumb, Page};
use super::space::{At, HINT_ICONS, links};
use crate::state::{Web, WebData};

/// Maximum length of a title.
const LONGEST_TITLE: u32 = 100;

/// Reusable content to show.
struct Reading {
    content: Content,
    node: ReusableContentNode,
    document: Document,
    resolved: Resolved,
}

/// Responds to `/s/{spaceId}/~/reusable/{reusableContentId}`.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    id: ReusableContentId,
) -> ApiResult<HttpResponse> {
    let selector = selector(request)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, selector)?;
        let node = opened.shown.tree.reusable_content(id).cloned().ok_or_else(ApiError::not_found)?;
        let document = shown_document(reader, &opened, node.document)?;
        let resolved = resolve(reader, &shared, caller, &opened, &document, BTreeSet::new())?;
        Ok(Reading { content: opened.shown, node, document, resolved })
    };
    let reading: Reading = web.state.read(caller, load).await?;
    let shared = web.clone();
    let work = move |_: &Storage| Ok::<_, ApiError>((write(&reading, &shared), reading));
    let (page, reading) = web.state.compute(work).await?;
    Ok(reading.content.frame.respond(&page))
}

fn write(reading: &Reading, web: &Web) -> Page {
    let Reading { content, node, document, resolved } = reading;
    let number = content.place.change.filter(|_| can_edit(content));
    let is_reversed = is_right_to_left(&format!("{} {}", node.title, plain_text(document)));
    let options = Options {
        highlighter: &web.highlighter,
        words: &Words::ENGLISH,
        is_right_to_left: is_reversed,
        opens_tabs: false,
        links_headings: true,
        names_blocks: true,
    };
    let rendered = render(document, resolved, &options);
    let mut icons = rendered.icons;
    if number.is_some() {
        icons.extend(HINT_ICONS.map(str::to_owned));
    }
    let direction = is_reversed.then_some("rtl");
    let main = html! {
        main.page id="workspace:content" {
            @if number.is_some() { (edit_bar(content)) } @else { (edit(content, node)) }
            h1.title dir=[direction] { span data-title="" { (node.title) } }
            article.document dir=[direction] data-editor=[number.map(|_| "")] data-base=[number.map(|_| &content.frame.prefix)]
                data-space=[number.map(|_| content.space.id)] data-change-request=[number] data-reusable=[number.map(|_| node.id)]
                data-person=[number.map(|_| content.rights.user)] { (PreEscaped(&rendered.html)) }
        }
    };
    let mut crumbs = content.crumbs();
    crumbs.push(Crumb { title: "Reusable contents".to_owned(), href: content.place.reusable(None) });
    Page {
        title: node.title.clone(),
        crumbs,
        status: content.change.as_ref().map(|change| status(&content.frame, change.status)),
        nav_label: "Space",
        nav: links(content, Some(At::Files)),
        main,
        icons,
        frames: rendered.frame_hosts,
        has_document: true,
        is_edited: number.is_some(),
        watched: Some(content.watched(None)),
        ..Page::default()
    }
}

/// Returns the bar above the editor, which fills it.
fn edit_bar(content: &Content) -> Markup {
    html! {
        div.edit-bar {
            p data-status="" role="status" { "Loading the editor…" }
            a.btn href=(content.place.root()) { "Overview" }
            (request_review(content))
        }
        div data-notices="" {}
    }
}

/// Returns the button that opens the content in the caller's draft.
fn edit(content: &Content, node: &ReusableContentNode) -> Markup {
    let next = format!("s/{}/~/reusable/{}?change={{number}}", content.space.id, node.id);
    html! {
        @if content.change.is_none() && content.rights.edits {
            div.actions {
                button.btn.primary type="button" data-action="edit" data-space=(content.space.id) data-title=(node.title) data-next=(next) {
                    (content.frame.icon("pencil", "")) "Edit"
                }
            }
        }
    }
}

/// Returns the form of a new reusable content.
pub(super) fn form(content: &Content) -> Markup {
    let body = json!({ "operation": "insert_reusable_content" });
    let next = format!("s/{}/~/reusable?change={{number}}", content.space.id);
    let text = Area {
        name: "document.markdown",
        label: "Text",
        value: "",
        hint: Some("Markdown. The editor has all other blocks."),
        is_required: true,
        is_list: false,
    };
    html! {
        form.form {
            (Field { name: "title", label: "Title", is_required: true, longest: LONGEST_TITLE, ..Field::default() })
            (text)
            div.buttons {
                button.btn.primary type="submit" data-action="change" data-space=(content.space.id) data-change=[content.place.change]
                    data-subject="Change reusable contents" data-body=(body) data-next=(next) { "Create" }
            }
        }
    }
}
