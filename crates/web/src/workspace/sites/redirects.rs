//! Redirects of a site.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::sites::{RedirectDestination, RedirectOrder, SiteRedirectFacts};
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::sites::{RedirectKey, Section, SiteSpaceRecord};
use serde_json::json;

use super::{Opened, Tab};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area, Field, Select, Tick, dialog};
use crate::workspace::requests::{cursor, next, position};
use crate::workspace::tables::{ACTIONS, table};

/// Redirects per page of the list.
const MOST: u16 = 100;

pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    key: (OrganizationId, SiteId),
) -> ApiResult<HttpResponse> {
    let list = format!("redirects on the page of {}", key.1);
    let after: Option<RedirectKey> = position(request, &list)?;
    let drafts_list = format!("drafts of redirects on the page of {}", key.1);
    let after_draft: Option<RedirectKey> = cursor(request, "drafts", &drafts_list)?;
    let load = move |reader: &mut Reader<'_>, opened: Opened| {
        let order = |draft| (draft, "", RedirectOrder::Source);
        let redirects = reader.redirects_of(&opened.site, order(false), after.as_ref(), MOST)?;
        let drafts = reader.redirects_of(&opened.site, order(true), after_draft.as_ref(), MOST)?;
        let spaces = reader.all_site_spaces((&opened.site).into())?;
        let sections = reader.all_sections((&opened.site).into())?;
        Ok((opened, redirects, drafts, spaces, sections))
    };
    let (opened, redirects, drafts, spaces, sections) = Opened::load(web, caller, key, load).await?;
    let more = next(&redirects, &list, |redirect| RedirectKey::from(redirect))?;
    let more_drafts = next(&drafts, &drafts_list, |redirect| RedirectKey::from(redirect))?;
    let url = format!("{}/redirects", opened.url());
    let list_of = |title: &str, redirects: &Slice<SiteRedirectFacts>| {
        table(
            title,
            &[("From", 24), ("To", 23), ("Kind", 15), (ACTIONS, 38)],
            redirects.items.iter().map(|redirect| row(&opened, &url, redirect, &spaces)),
        )
    };
    let main = html! {
        p { "A redirect leads from a path of the site, such as one of a former site, to a page or to another address." }
        @if redirects.items.is_empty() { div.empty { p { b { "No redirects" } } p { "Moved pages need no redirect: their former paths still work." } } }
        @else { (list_of("Redirects", &redirects)) }
        @if let Some(more) = &more { p.pager { a.btn href={ (opened.at("redirects")) "?page=" (more) } { "More redirects" } } }
        @if !drafts.items.is_empty() {
            h2 { "Drafts" }
            p.muted { "Visitors do not follow a draft. Published, it takes the place of the redirect from the same path." }
            (list_of("Drafts", &drafts))
        }
        @if let Some(more) = &more_drafts { p.pager { a.btn href={ (opened.at("redirects")) "?drafts=" (more) } { "More drafts" } } }
        @if opened.manages() { (additions(&url, &spaces, &sections)) }
    };
    Ok(opened.respond(Tab::Redirects, &main))
}

fn row(opened: &Opened, url: &str, redirect: &SiteRedirectFacts, spaces: &[SiteSpaceRecord]) -> Markup {
    let kind = if redirect.draft { "draft" } else { "redirect" };
    html! {
        tr {
            td { code { (redirect.source) } }
            td { (target(&redirect.destination, spaces)) }
            td { @if redirect.permanent { "Permanent" } @else { "Temporary" } }
            td.end {
                @if opened.manages() {
                    @if redirect.draft { (publish(url, &redirect.source)) " " }
                    (change(url, redirect, spaces))
                    " "
                    button.btn type="button" data-action="send" data-method="DELETE" data-url={ (url) "/" (redirect.id) } aria-label={ "Delete the " (kind) " from " (redirect.source) } { "Delete" }
                }
            }
        }
    }
}

/// Returns the button that makes a draft the redirect from its source.
fn publish(url: &str, source: &str) -> Markup {
    let body = json!({ "redirects": [{ "source": source, "intent": "publish" }] }).to_string();
    html! {
        button.btn type="button" data-action="send" data-method="PUT" data-url=(url) data-body=(body) aria-label={ "Publish the draft from " (source) } { "Publish" }
    }
}

fn target(destination: &RedirectDestination, spaces: &[SiteSpaceRecord]) -> Markup {
    match destination {
        RedirectDestination::External { url } => html! { (url) },
        RedirectDestination::SiteSection { .. } => html! { "A section" },
        RedirectDestination::SiteSpace { site_space_id }
        | RedirectDestination::SitePage { site_space_id, .. } => {
            let title = spaces
                .iter()
                .find(|space| space.id == *site_space_id)
                .map(|space| space.space.title.as_str());
            let is_page = matches!(destination, RedirectDestination::SitePage { .. });
            html! { @if is_page { "A page of " } (title.unwrap_or("a space that was removed")) }
        }
    }
}

/// Returns the form that changes a redirect. A destination other than a page is kept.
fn change(url: &str, redirect: &SiteRedirectFacts, spaces: &[SiteSpaceRecord]) -> Markup {
    let from =
        if redirect.draft { format!("the draft {}", redirect.source) } else { redirect.source.clone() };
    let body = match redirect.destination {
        RedirectDestination::External { .. } => Some("{\"destination\":{\"kind\":\"external\"}}"),
        _ => None,
    };
    let url = format!("{url}/{}", redirect.id);
    let form = ApiForm { method: "PATCH", url: &url, body, ..ApiForm::default() };
    let label = |name: &str| format!("{name}: {from}");
    let (changed, led) = (format!("redirect-{}", redirect.id), format!("destination-{}", redirect.id));
    html! {
        button.btn type="button" data-dialog=(changed) aria-label={ "Change " (from) } { "Change" }
        (dialog(&changed, &format!("Change {from}"), html! {
            (Field { name: "source", label: &label("From"), value: &redirect.source, is_required: true, ..Field::default() })
            @if let RedirectDestination::External { url } = &redirect.destination {
                (Field { name: "destination.url", label: &label("To"), kind: "url", value: url, is_required: true, ..Field::default() })
                (Tick { name: "captureWildcard", label: "Append what the * matches", value: None, is_ticked: redirect.capture_wildcard })
            }
            (Tick { name: "permanent", label: "Browsers may remember it", value: None, is_ticked: redirect.permanent })
        }, form.button()))
        @if !spaces.is_empty() && body.is_none() {
            button.btn type="button" data-dialog=(led) aria-label={ "Another page for " (from) } { "Page" }
            (dialog(&led, &format!("Another page for {from}"), page_fields(spaces, &label),
                ApiForm { body: Some("{\"destination\":{\"kind\":\"path\"}}"), submit: "Lead it to this page", ..form }.button()))
        }
    }
}

/// Returns the fields for a page as destination.
fn page_fields(spaces: &[SiteSpaceRecord], label: &dyn Fn(&str) -> String) -> Markup {
    let named: Vec<(String, &str)> =
        spaces.iter().map(|space| (space.space.id.to_string(), space.space.title.as_str())).collect();
    let named: Vec<(&str, &str)> = named.iter().map(|(id, title)| (id.as_str(), *title)).collect();
    html! {
        (Select { name: "destination.spaceId", label: &label("Space"), options: &named, value: "", hint: None })
        (Field { name: "destination.path", label: &label("Path of the page in the space"), is_required: true, ..Field::default() })
    }
}

/// Returns the form of a redirect to a part of the site. Empty without such parts.
fn to_part(
    url: &str,
    title: &str,
    (kind, name, label): (&str, &str, &str),
    parts: &[(String, &str)],
) -> Markup {
    let body = json!({ "destination": { "kind": kind } }).to_string();
    let choices: Vec<(&str, &str)> = parts.iter().map(|(id, title)| (id.as_str(), *title)).collect();
    let source = format!("{kind}-source");
    html! {
        @if !choices.is_empty() {
            (ApiForm { url, body: Some(&body), submit: "Add the redirect", ..ApiForm::default() }.named(title, html! {
                (Field { name: "source", id: Some(&source), label: "From", hint: Some("A path of the site"), is_required: true, ..Field::default() })
                (Select { name, label, options: &choices, value: "", hint: None })
                (last_ticks())
            }))
        }
    }
}

/// Returns the last fields of each new redirect.
fn last_ticks() -> Markup {
    html! {
        (Tick { name: "permanent", label: "Browsers may remember it", value: None, is_ticked: false })
        (Tick { name: "draft", label: "Draft, which visitors do not follow yet", value: None, is_ticked: false })
    }
}

fn additions(url: &str, spaces: &[SiteSpaceRecord], sections: &[Section]) -> Markup {
    let external = ApiForm {
        url,
        body: Some("{\"destination\":{\"kind\":\"external\"}}"),
        submit: "Add the redirect",
        ..ApiForm::default()
    };
    let to_page = ApiForm { body: Some("{\"destination\":{\"kind\":\"path\"}}"), ..external };
    let of_spaces: Vec<(String, &str)> =
        spaces.iter().map(|space| (space.id.to_string(), space.space.title.as_str())).collect();
    let of_sections: Vec<(String, &str)> =
        sections.iter().map(|section| (section.id.to_string(), section.title.as_str())).collect();
    html! {
        @if !spaces.is_empty() {
            h2 { "To a page" }
            (to_page.with(html! {
                (Field { name: "source", id: Some("page-source"), label: "From", hint: Some("A path of the site, such as /old/page. A * at its end matches any rest"), is_required: true, ..Field::default() })
                (page_fields(spaces, &str::to_owned))
                (last_ticks())
            }))
        }
        (to_part(url, "To a space", ("site-space", "destination.siteSpaceId", "Space to lead to"), &of_spaces))
        (to_part(url, "To a section", ("site-section", "destination.siteSectionId", "Section to lead to"), &of_sections))
        h2 { "To another address" }
        (external.with(html! {
            (Field { name: "source", id: Some("external-source"), label: "From", hint: Some("A path of the site"), is_required: true, ..Field::default() })
            (Field { name: "destination.url", label: "To", kind: "url", is_required: true, ..Field::default() })
            (Tick { name: "captureWildcard", label: "Append what the * matches", value: None, is_ticked: false })
            (last_ticks())
        }))
        h2 { "Many at once" }
        form.form {
            (Area { name: "lines", label: "Redirects", value: "", hint: Some("A path of the site and an address on each line, such as /old https://example.com/new. An existing redirect gets the new address"), is_required: true, is_list: false })
            div.buttons { button.btn type="submit" data-action="redirects" data-url=(url) { "Set the redirects" } }
        }
    }
}
