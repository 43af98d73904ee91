//! Additions to the tree other than pages with a text: groups, links, and the pages of an API. They go to a change
//! request.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{PageId, SpaceId};
use quire_domain::policy::Action;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use serde_json::{Value, json};

use super::content::{Content, can_edit, open, selector};
use super::forms::{Field, Select};
use super::requests::parameter;
use super::shell::{Crumb, Page};
use super::space::links;
use super::tree::title_of;
use crate::state::WebData;

/// Maximum length of a title.
const LONGEST_TITLE: u32 = 100;
/// Maximum length of an address, equal to the limit of the API.
const LONGEST_ADDRESS: u32 = 2_048;
/// Maximum number of specifications offered.
const MOST_SPECS: u16 = 100;

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
        let specs = match opened.organization.may(Action::ViewOrganizationContent) {
            true => reader.openapi_specs(&opened.organization, None, MOST_SPECS)?.items,
            false => Vec::new(),
        };
        let specs: Vec<String> = specs.iter().map(|spec| spec.slug.to_string()).collect();
        Ok((opened.shown, specs))
    };
    let (content, specs): (Content, Vec<String>) = web.state.read(caller, load).await?;
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
                    (specifications(&specs))
                }))
            }
        }
    };
    let mut crumbs = vec![Crumb { title: content.space.title.clone(), href: content.place.of_space() }];
    if let Some(change) = &content.change {
        crumbs.push(Crumb { title: format!("#{}", change.number), href: content.place.root() });
    }
    let page = Page {
        title: "Add to the tree".to_owned(),
        crumbs,
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

fn specifications(specs: &[String]) -> Markup {
    let options: Vec<(&str, &str)> = specs.iter().map(|slug| (slug.as_str(), slug.as_str())).collect();
    html! {
        (Select { name: "source.dependencies.spec.ref.spec", label: "Specification", options: &options, value: "", hint: None })
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
