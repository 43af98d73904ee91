//! Text of a reusable content, as Markdown. The changes go to a change request.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_content::page_body::stored_document;
use quire_domain::ids::{ReusableContentId, SpaceId};
use quire_markup::{Document, StableRefs, parse, print};
use quire_revision::ReusableContentNode;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use serde_json::json;

use super::content::{Content, can_edit, open, selector};
use super::forms::{Area, Field};
use super::shell::{Crumb, Page};
use super::space::{At, links};
use crate::state::WebData;

/// Maximum length of a title.
const LONGEST_TITLE: u32 = 100;

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
        let stored = node.document.map(|document| reader.document(&opened.content, document)).transpose();
        let document = stored.map_err(ApiError::internal)?.as_ref().map(stored_document).transpose()?;
        Ok((opened.shown, node, document.unwrap_or_default()))
    };
    let (content, node, document): (Content, ReusableContentNode, Document) =
        web.state.read(caller, load).await?;
    let text = print(&document, &StableRefs);
    // Markdown lacks some settings of blocks.
    let is_whole = parse(&text, &StableRefs).to_canonical_json().get() == document.to_canonical_json().get();
    let list = content.place.reusable(None);
    let main = html! {
        main.home id="workspace:content" {
            h1 { (node.title) }
            @if !is_whole { p.note { "This content has blocks that Markdown cannot hold. It can be changed by the API." } }
            @if is_whole && can_edit(&content) { (form(&content, Some(&node), &text)) }
            @else { pre { code { (text) } } }
        }
    };
    let page = Page {
        title: node.title.clone(),
        crumbs: vec![
            Crumb { title: content.space.title.clone(), href: content.place.of_space() },
            Crumb { title: "Reusable contents".to_owned(), href: list },
        ],
        nav_label: "Space",
        nav: links(&content, Some(At::Files)),
        main,
        ..Page::default()
    };
    Ok(content.frame.respond(&page))
}

/// Returns the form of a reusable content, or of a new one.
pub(super) fn form(content: &Content, node: Option<&ReusableContentNode>, text: &str) -> Markup {
    let body = match node {
        Some(node) => json!({ "operation": "update_reusable_content", "reusableContent": node.id }),
        None => json!({ "operation": "insert_reusable_content" }),
    };
    let title = node.map_or("", |node| node.title.as_str());
    let next = format!("s/{}/~/reusable?change={{number}}", content.space.id);
    let text = Area {
        name: "document.markdown",
        label: "Text",
        value: text,
        hint: Some("Markdown. The pages that include the content show the new text."),
        is_required: true,
        is_list: false,
    };
    html! {
        form.form {
            (Field { name: "title", label: "Title", value: title, is_required: true, longest: LONGEST_TITLE, ..Field::default() })
            (text)
            div.buttons {
                button.btn.primary type="submit" data-action="change" data-space=(content.space.id) data-change=[content.place.change]
                    data-subject="Change reusable contents" data-body=(body) data-next=(next) {
                    @if node.is_some() { "Save" } @else { "Create" }
                }
            }
        }
    }
}
