//! `/o/{organizationId}/integrations/{integrationName}`: an integration of the organization, with the form that
//! publishes a new version. The form for the first version is on the list of integrations.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_server::{ApiError, ApiResult};
use quire_storage::lookup::Credentials;
use quire_storage::operations::integrations::IntegrationRecord;
use serde::Serialize;
use serde_json::json;

use super::super::{Area as Section, Settings, load};
use super::image;
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area, Field, Json, Pairs, Pictures, Select, TextFile};

/// Audiences of an integration.
const VISIBILITIES: [(&str, &str); 3] = [
    ("private", "Only this organization"),
    ("unlisted", "Everyone who knows its name"),
    ("public", "Everyone on this server"),
];
/// Resources that an integration can be installed on.
const TARGETS: [(&str, &str); 4] = [
    ("all", "Spaces and sites"),
    ("space", "Spaces"),
    ("site", "Sites"),
    ("organization", "The organization only"),
];
/// Maximum length of the one-line description.
const LONGEST_DESCRIPTION: u32 = 100;

/// Returns the form of a new integration.
pub(super) fn form(settings: &Settings) -> Markup {
    let form = ApiForm {
        url: "integrations/{name}",
        done: Some("Published. Reload the page to see it."),
        submit: "Publish",
        ..ApiForm::default()
    };
    html! {
        details.settings {
            summary { "Publish an integration" }
            (ApiForm { body: Some(&body_of(settings)), ..form }.with(html! {
                (Field { name: "name", label: "Name", is_required: true, hint: Some("Small letters, digits and hyphens"), ..Field::default() })
                (fields(settings, None))
            }))
        }
    }
}

pub(in super::super) async fn page(
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    name: &str,
) -> ApiResult<HttpResponse> {
    let key = name.to_owned();
    let (settings, found) =
        load(web, caller, id, Action::AdministerOrganization, move |reader, organization| {
            let found = reader.integration(&key)?.authorize(Action::ViewOrganization)?;
            if found.owner.id != organization.id {
                return Err(ApiError::not_found());
            }
            Ok(found.into_inner().item)
        })
        .await?;
    let Some(item) = found else { return Ok(settings.refuse(Section::Integrations, "admin")) };
    let url = format!("integrations/{}", item.name);
    let form = ApiForm {
        url: &url,
        body: Some(&body_of(&settings)),
        submit: "Publish the version",
        is_primary: true,
        ..ApiForm::default()
    };
    let content = html! {
        p.sub { "Version " (item.version) " of " code { (item.name) } }
        h2 { "Contents" }
        ul.checks {
            li { (image(&settings, &item)) @if item.icon.is_some() { "An icon" } @else { "No icon" } }
            li { (settings.frame.icon("layers", "")) (blocks(&item)) }
            @if let Some(sources) = &item.content_sources {
                li { (settings.frame.icon("layers", "")) "Content sources: " (listed(sources.iter().filter_map(|source| source.title.as_text().ok()))) }
            }
        }
        h2 { "Publish a new version" }
        p.muted { "A version has only what you enter here, and replaces the previous one in all installations. Script and secrets are never shown: enter them again." }
        (form.with(fields(&settings, Some(&item))))
    };
    Ok(settings.respond_below(Section::Integrations, Some(&item.title), content))
}

fn blocks(item: &IntegrationRecord) -> Markup {
    let blocks = item.blocks.as_deref().unwrap_or_default();
    html! {
        @if blocks.is_empty() { "No blocks" }
        @else { "Blocks: " (listed(blocks.iter().filter_map(|block| block.title.as_text().ok()))) }
    }
}

fn listed<'a>(titles: impl Iterator<Item = &'a str>) -> String {
    titles.collect::<Vec<_>>().join(", ")
}

fn body_of(settings: &Settings) -> String {
    json!({"organization": settings.organization.id}).to_string()
}

/// Returns a value as indented JSON. Empty for `None`.
fn written<T: Serialize>(value: Option<&T>) -> String {
    value.and_then(|value| serde_json::to_string_pretty(value).ok()).unwrap_or_default()
}

/// Returns the fields of a version, with the values of the previous version.
fn fields(settings: &Settings, before: Option<&IntegrationRecord>) -> Markup {
    let text = |of: fn(&IntegrationRecord) -> &str| before.map(of).unwrap_or_default();
    let scopes: Vec<&str> = before.iter().flat_map(|item| &item.scopes).map(|scope| scope.as_str()).collect();
    let scopes = scopes.join("\n");
    let categories: Vec<&str> =
        before.iter().flat_map(|item| &item.categories).map(|category| category.as_str()).collect();
    let blocks = written(before.and_then(|item| item.blocks.as_ref()));
    let sources = written(before.and_then(|item| item.content_sources.as_ref()));
    let configurations = written(before.and_then(|item| item.configurations.as_ref()));
    let links = written(before.map(|item| &item.external_links).filter(|links| !links.is_empty()));
    let policy = written(before.and_then(|item| item.content_security_policy.as_ref()));
    let urls = |hashes: Vec<&String>| -> Vec<String> {
        let name = before.map(|item| item.name.as_str()).unwrap_or_default();
        let url = |hash: &&String| settings.frame.at(&format!("/v1/integrations/{name}/images/{hash}"));
        hashes.iter().map(url).collect()
    };
    let icon = urls(before.iter().filter_map(|item| item.icon.as_ref()).collect());
    let previews = urls(before.iter().flat_map(|item| &item.previews).collect());
    let json_list = |name, label, value, hint| {
        Json(Area { name, label, value, hint: Some(hint), is_required: false, is_list: false })
    };
    html! {
        (Field { name: "title", label: "Title", value: text(|item| &item.title), is_required: true, ..Field::default() })
        (Field { name: "description", label: "Description in one line", value: text(|item| &item.description), is_required: true, longest: LONGEST_DESCRIPTION, ..Field::default() })
        (Area { name: "summary", label: "Long description", value: text(|item| item.summary.as_deref().unwrap_or_default()), hint: Some("Markdown"), is_required: false, is_list: false })
        (Select { name: "visibility", label: "Audience", options: &VISIBILITIES, value: before.map_or("private", |item| item.visibility.as_str()), hint: None })
        (Select { name: "target", label: "Installed on", options: &TARGETS, value: before.map_or("all", |item| item.target.as_str()), hint: None })
        (Area { name: "scopes", label: "Permissions", value: &scopes, hint: Some("One per line, such as space:content:read"), is_required: false, is_list: true })
        (Area { name: "categories", label: "Categories", value: &categories.join("\n"), hint: Some("One per line, such as analytics"), is_required: false, is_list: true })
        (Pictures { name: "icon", label: "Icon", kept: &icon, is_list: false })
        (Pictures { name: "previewImages", label: "Previews", kept: &previews, is_list: true })
        (TextFile { name: "script", label: "Script", accept: ".js,text/javascript" })
        (Pairs(Area { name: "secrets", label: "Secrets of the script", value: "", hint: Some("NAME=value, one per line. A version has only the secrets that you enter with it"), is_required: false, is_list: false }))
        details {
            summary { "Blocks, content sources and settings" }
            (json_list("blocks", "Blocks", &blocks, "A JSON list of objects with id and title"))
            (json_list("contentSources", "Content sources", &sources, "A JSON list of objects with id, title and configuration"))
            (json_list("configurations", "Settings of installations", &configurations, "A JSON object with the schemas account, space and site"))
            (json_list("externalLinks", "Links", &links, "A JSON list of objects with label and url"))
            (json_list("contentSecurityPolicy", "Content security policy", &policy, "A JSON text, or an object with lists of sources by directive"))
        }
    }
}
