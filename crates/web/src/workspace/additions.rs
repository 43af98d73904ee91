//! Additions to the tree other than pages with a text: groups, links, and the pages of an API. They go to a change
//! request.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{PageId, SpaceId};
use quire_domain::policy::Action;
use quire_revision::{PageNode, PageType};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, Credentials};
use quire_storage::people::organizations::OrganizationRecord;
use serde_json::{Value, json};

use super::content::{Content, can_edit, open, selector};
use super::forms::{Field, Select};
use super::requests::parameter;
use super::shell::Page;
use super::space::links;
use super::tree::title_of;
use crate::state::WebData;

/// Maximum length of a title.
const LONGEST_TITLE: u32 = 100;
/// Maximum length of an address, equal to the limit of the API.
pub(super) const LONGEST_ADDRESS: u32 = 2_048;
/// Maximum number of specifications offered.
const MOST_SPECS: u16 = 100;
/// Maximum number of groups, links and API pages in the list.
const MOST_ENTRIES: usize = 200;
const GROUPINGS: [(&str, &str); 2] =
    [("by-tag", "One for each tag, with all its operations"), ("by-operation", "One for each operation")];

/// Responds to `/s/{spaceId}/~/add`. The parameter `into` is the parent page of links and API pages.
pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    space: SpaceId,
) -> ApiResult<HttpResponse> {
    let selector = selector(request)?;
    let into = parameter(request, "into").map(|page| page.parse::<PageId>()).transpose();
    let into = into.map_err(|_| ApiError::not_found())?;
    let shared = web.clone();
    let load = move |reader: &mut Reader<'_>| {
        let opened = open(reader, &shared, space, selector)?;
        let specs = slugs(reader, &opened.organization)?;
        // The shown tree has the pages of specifications instead of their placeholders.
        let tree = reader.tree(&opened.content)?;
        let entries = tree.pages_in_order().filter(|page| page.page_type() != PageType::Document);
        let entries: Vec<PageNode> = entries.take(MOST_ENTRIES).cloned().collect();
        Ok((opened.shown, specs, entries))
    };
    let (content, specs, entries): (Content, Vec<String>, Vec<PageNode>) =
        web.state.read(caller, load).await?;
    if !can_edit(&content) {
        return Err(ApiError::not_found());
    }
    let into = into.map(|page| content.tree.page(page).ok_or_else(ApiError::not_found)).transpose()?;
    let parent = into.map(|page| page.id);
    let place = into.map_or("the top of the space", title_of);
    let main = html! {
        main.home id="workspace:content" {
            h1 { "Add to the tree" }
            p.sub {
                @match content.place.change {
                    Some(number) => { "The additions go to change request #" (number) "." },
                    None => { "The additions go to your draft of this space." },
                }
            }
            h2 { "Group" }
            p { "A heading in the navigation, with pages below it. It is added at the top of the space." }
            (form(&content, "Add the group", &json!({ "operation": "insert_group" }), &title("group")))
            h2 { "Link" }
            p { "An entry of the navigation that leads to another address. It is added below " (place) "." }
            (form(&content, "Add the link", &json!({ "operation": "insert_link", "into": parent, "target": { "kind": "url" } }), &html! {
                (title("link"))
                (Field { name: "target.url", label: "Address", kind: "url", is_required: true, longest: LONGEST_ADDRESS, ..Field::default() })
            }))
            h2 { "Pages of an API" }
            @if specs.is_empty() {
                p { "An OpenAPI specification of the organization becomes pages with its operations. The organization has none." }
            } @else {
                p { "The operations of an OpenAPI specification become pages, which follow its new versions. They are added below " (place) "." }
                (form(&content, "Add the pages", &computed(parent), &html! {
                    (title("api"))
                    (specifications(&specs, ""))
                    (groupings(""))
                }))
            }
            (present(&content, &entries))
        }
    };
    let page = Page {
        title: "Add to the tree".to_owned(),
        crumbs: content.crumbs(),
        nav_label: "Space",
        nav: links(&content, None),
        main,
        ..Page::default()
    };
    Ok(content.frame.respond(&page))
}

fn title(id: &str) -> Markup {
    let id = format!("{id}-title");
    html! {
        (Field { name: "title", id: Some(&id), label: "Title", is_required: true, longest: LONGEST_TITLE, ..Field::default() })
    }
}

/// Returns the change that adds the pages of a specification.
fn computed(into: Option<PageId>) -> Value {
    json!({
        "operation": "insert_computed",
        "into": into,
        "source": {
            "type": "builtin:openapi",
            "dependencies": { "spec": { "ref": { "kind": "openapi" } } },
            "props": { "models": true },
        },
    })
}

/// Returns the names of the organization's specifications.
pub(super) fn slugs(
    reader: &mut Reader<'_>,
    organization: &Authorized<OrganizationRecord>,
) -> ApiResult<Vec<String>> {
    let specs = match organization.may(Action::ViewOrganizationContent) {
        true => reader.openapi_specs(organization, None, MOST_SPECS)?.items,
        false => Vec::new(),
    };
    Ok(specs.iter().map(|spec| spec.slug.to_string()).collect())
}

/// Returns the choice of a specification.
pub(super) fn specifications(specs: &[String], value: &str) -> Markup {
    let options: Vec<(&str, &str)> = specs.iter().map(|slug| (slug.as_str(), slug.as_str())).collect();
    html! {
        (Select { name: "source.dependencies.spec.ref.spec", label: "Specification", options: &options, value, hint: None })
    }
}

/// Returns the choice of the pages of operations.
pub(super) fn groupings(value: &str) -> Markup {
    let value = if value.is_empty() { "by-tag" } else { value };
    html! { (Select { name: "source.props.grouping", label: "Pages", options: &GROUPINGS, value, hint: None }) }
}

/// Returns links to the settings of groups, links and API pages.
fn present(content: &Content, entries: &[PageNode]) -> Markup {
    let kind = |page: &PageNode| match page.page_type() {
        PageType::Group => "group",
        PageType::Link => "link",
        PageType::Computed => "pages of an API",
        PageType::Document => "page",
    };
    html! {
        @if !entries.is_empty() {
            h2 { "Change what is there" }
            ul {
                @for page in entries {
                    li { a href=(content.place.page_settings(page.id)) { (title_of(page)) } " (" (kind(page)) ")" }
                }
            }
        }
    }
}

fn form(content: &Content, submit: &str, body: &Value, fields: &Markup) -> Markup {
    let next = format!("s/{}/~/changes/{{number}}", content.space.id);
    html! {
        form.form {
            (fields)
            div.buttons {
                button.btn.primary type="submit" data-action="change" data-space=(content.space.id) data-change=[content.place.change]
                    data-subject="Change the tree" data-body=(body) data-next=(next) { (submit) }
            }
        }
    }
}
