//! Settings of pages of any type: name, icon, visibility and layout, the target of a link, and the specification of API
//! pages. The changes go to a change request.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, Render, html};
use quire_domain::ids::{PageId, SpaceId};
use quire_markup::ContentRef;
use quire_revision::{PageKind, PageNode, PageType};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use serde_json::{Value, json};

use super::additions::{LONGEST_ADDRESS, groupings, slugs, specifications};
use super::content::{Content, can_edit, open, selector};
use super::forms::{Field, Tick, dialog};
use super::page_fields::{document_fields, entry_fields, update_of};
use super::shell::Page;
use super::space::{links, see_other};
use super::tree::title_of;
use crate::state::WebData;

/// Responds to `/s/{spaceId}/~/page/{pageId}/settings`.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
    id: PageId,
) -> ApiResult<HttpResponse> {
    let selector = selector(request)?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, selector)?;
        // The shown tree has the pages of specifications instead of their placeholders.
        let stored = reader.tree(&opened.content)?.page(id).cloned();
        let is_api = stored.as_ref().is_some_and(|page| page.page_type() == PageType::Computed);
        let specs = if is_api { slugs(reader, &opened.organization)? } else { Vec::new() };
        Ok((opened.shown, specs, stored))
    };
    let (content, specs, stored): (Content, Vec<String>, Option<PageNode>) =
        web.state.read(caller, load).await?;
    if !can_edit(&content) {
        return Err(ApiError::not_found());
    }
    let Some(page) = &stored else {
        // A page of a specification: the list names its placeholder.
        content.tree.page(id).ok_or_else(ApiError::not_found)?;
        return Ok(see_other(&content.place.additions(None)));
    };
    let main = html! {
        main.home id="workspace:content" {
            h1 { "Settings of " (title_of(page)) }
            p.sub {
                @match content.place.change {
                    Some(number) => { "They are changed in change request #" (number) "." },
                    None => { "They are changed in your draft of this space." },
                }
            }
            @match &page.kind {
                PageKind::Document => (form(&content, page, "Save", &update_of(page), &document_fields(page, true))),
                PageKind::Group => (form(&content, page, "Save", &update_of(page), &entry_fields(page))),
                PageKind::Link { target } => {
                    (form(&content, page, "Save", &update_of(page), &entry_fields(page)))
                    (target_forms(&content, page, target))
                },
                PageKind::Computed { source, .. } => {
                    (form(&content, page, "Save", &update_of(page), &entry_fields(page)))
                    (source_form(&content, page, source, specs))
                },
            }
        }
    };
    let page = Page {
        title: format!("Settings of {}", title_of(page)),
        crumbs: content.crumbs(),
        nav_label: "Space",
        nav: links(&content, None),
        main,
        ..Page::default()
    };
    Ok(content.frame.respond(&page))
}

/// Returns the forms for the target of a link: an address, or a page of the space.
fn target_forms(content: &Content, page: &PageNode, target: &Value) -> Markup {
    let (mut url, mut linked) = (String::new(), None);
    let now = match ContentRef::from_value(target) {
        Some(ContentRef::Url { url: address }) => {
            url.clone_from(&address);
            address
        }
        Some(ContentRef::Page { page: id, space: None }) => {
            let found = id.parse().ok().and_then(|id| content.tree.page(id));
            linked = Some(id);
            found.map_or_else(
                || "a page that is gone".to_owned(),
                |page| format!("the page “{}”", title_of(page)),
            )
        }
        Some(ContentRef::Page { .. }) => "a page of another space".to_owned(),
        Some(ContentRef::Space { .. }) => "another space".to_owned(),
        _ => "something else".to_owned(),
    };
    let update = |target: Value| json!({ "operation": "update_page", "page": page.id, "target": target });
    let address = Field {
        name: "target.url",
        label: "Address",
        value: &url,
        is_required: true,
        longest: LONGEST_ADDRESS,
        ..Field::default()
    };
    let pages = match content.place.change {
        Some(number) => format!("spaces/{}/change-requests/{number}/content/pages", content.space.id),
        None => format!("spaces/{}/content/pages", content.space.id),
    };
    html! {
        h2 { "Target" }
        p { "The link leads to " (now) "." }
        (form(content, page, "Lead to the address", &update(json!({ "kind": "url" })), &address.render()))
        p { button.btn type="button" data-dialog="workspace:link-page" { "Lead to a page of the space…" } }
        (dialog("workspace:link-page", "Lead to a page", html! {
            div.field {
                label for="workspace:target" { "Page" }
                // `pages.js` loads the pages when the dialog opens.
                select id="workspace:target" name="target.page" required disabled data-pages=(pages) data-page=(page.id)
                    data-parent=[linked] { option value="" { "Choose a page" } }
            }
        }, button(content, page, "Lead to it", &update(json!({ "kind": "page" })))))
    }
}

/// Returns the form for the source of API pages. Options that the form lacks are kept.
fn source_form(content: &Content, page: &PageNode, source: &Value, mut specs: Vec<String>) -> Markup {
    let text = |path: &str| source.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_on = |path: &str| source.pointer(path).and_then(Value::as_bool).unwrap_or_default();
    // The present specification may have been named by its id, or be one that the organization lacks.
    let now = text("/dependencies/spec/ref/spec");
    if !specs.contains(&now) {
        specs.insert(0, now.clone());
    }
    let grouping = text("/props/grouping");
    let body = json!({ "operation": "update_page", "page": page.id, "source": source });
    html! {
        h2 { "Source" }
        (form(content, page, "Save the source", &body, &html! {
            (specifications(&specs, &now))
            (groupings(&grouping))
            (Tick { name: "source.props.models", label: "Add a page of the models", value: None, is_ticked: is_on("/props/models") })
            (Tick { name: "source.props.downloadLink", label: "Link the specification, if it has an address", value: None, is_ticked: is_on("/props/downloadLink") })
        }))
    }
}

fn form(content: &Content, page: &PageNode, submit: &str, body: &Value, fields: &Markup) -> Markup {
    html! {
        form.form {
            (fields)
            div.buttons { (button(content, page, submit, body)) }
        }
    }
}

/// Returns the button that makes a change. Then opens the overview of the change request.
fn button(content: &Content, page: &PageNode, label: &str, body: &Value) -> Markup {
    let next = format!("s/{}/~/changes/{{number}}", content.space.id);
    html! {
        button.btn.primary type="submit" data-action="change" data-space=(content.space.id) data-change=[content.place.change]
            data-subject={ "Change " (title_of(page)) } data-body=(body) data-next=(next) { (label) }
    }
}
