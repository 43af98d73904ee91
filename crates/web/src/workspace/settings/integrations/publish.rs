//! Form that publishes an integration, or a new version of one.

use maud::{Markup, html};
use serde_json::json;

use super::super::Settings;
use crate::workspace::forms::{ApiForm, Area, Field, Select, TextFile};

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
/// Longest one-line description.
const LONGEST_DESCRIPTION: u32 = 100;

pub(super) fn form(settings: &Settings) -> Markup {
    let body = json!({"organization": settings.organization.id}).to_string();
    let form = ApiForm {
        url: "integrations/{name}",
        body: Some(&body),
        submit: "Publish",
        done: Some("Published. Reload the page to see it."),
        ..ApiForm::default()
    };
    html! {
        details.settings {
            summary { "Publish an integration" }
            p { "Publishing under the name of an integration of this organization makes a new version of it. Icons, blocks, content sources and secrets are set with the API." }
            (form.with(html! {
                (Field { name: "name", label: "Name", is_required: true, hint: Some("Small letters, digits and hyphens"), ..Field::default() })
                (Field { name: "title", label: "Title", is_required: true, ..Field::default() })
                (Field { name: "description", label: "Description in one line", is_required: true, longest: LONGEST_DESCRIPTION, ..Field::default() })
                (Area { name: "summary", label: "Long description", value: "", hint: Some("Markdown"), is_required: false, is_list: false })
                (Select { name: "visibility", label: "Audience", options: &VISIBILITIES, value: "private", hint: None })
                (Select { name: "target", label: "Installed on", options: &TARGETS, value: "all", hint: None })
                (Area { name: "scopes", label: "Permissions", value: "", hint: Some("One on a line, such as space:content:read"), is_required: false, is_list: true })
                (TextFile { name: "script", label: "Script", accept: ".js,text/javascript" })
            }))
        }
    }
}
