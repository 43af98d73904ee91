//! `/o/{organizationId}/integrations`: installed and available integrations.

pub(super) mod installation;
pub(super) mod publish;

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{InstallationId, IntegrationId, OrganizationId};
use quire_domain::integrations::{IntegrationQuery, Selection};
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::lookup::Credentials;
use quire_storage::operations::integrations::{InstallationRecord, IntegrationAt, IntegrationRecord};
use serde_json::json;

use super::{Area, MOST, Settings, empty, load, more};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area as TextArea, Json, Select};
use crate::workspace::requests::{cursor, next};
use crate::workspace::shell::counted;

/// Selections of spaces that an installation applies to.
const SPACES: [(&str, &str); 2] = [("all", "All spaces"), ("selected", "Selected spaces")];
/// Selections of sites that an installation applies to.
const SITES: [(&str, &str); 2] = [("all", "All sites"), ("selected", "Selected sites")];

pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let (installed, available) = (format!("installations of {id}"), format!("integrations for {id}"));
    let installed_after: Option<InstallationId> = cursor(request, "installed", &installed)?;
    let available_after: Option<IntegrationId> = cursor(request, "available", &available)?;
    let (settings, found) = load(web, caller, id, Action::ListIntegrations, move |reader, organization| {
        let installations = reader.installations_of(organization, installed_after, MOST)?;
        let filter = IntegrationQuery::default();
        let integrations = reader.integrations(Some(organization), &filter, available_after, MOST)?;
        Ok((installations, integrations))
    })
    .await?;
    let Some((installations, integrations)) = found else {
        return Ok(settings.refuse(Area::Integrations, "read"));
    };
    let more_installed = next(&installations, &installed, |(_, installation)| installation.id)?;
    let more_available = next(&integrations, &available, |integration| integration.item.id)?;
    let address = settings.at("integrations");
    let content = html! {
        p.sub { (counted(installations.total, "installed integration", "installed integrations")) }
        h2 { "Installed" }
        @if installations.items.is_empty() {
            (empty("No integrations installed", "An integration adds blocks and sources of content, or connects other services."))
        } @else {
            @for (integration, installation) in &installations.items { (installation_of(&settings, integration, installation)) }
        }
        (more(&address, &[], more_installed.as_deref().map(|cursor| ("installed", cursor))))
        h2 { "Available" }
        @if integrations.items.is_empty() {
            (empty("No integrations available", "Integrations that developers published to this server are listed here."))
        } @else {
            ul.list {
                @for integration in &integrations.items {
                    li {
                        (image(&settings, &integration.item))
                        span.t { (integration.item.title) }
                        span.d { (integration.item.summary.as_deref().unwrap_or(&integration.item.description)) }
                        span.w {
                            @if integration.item.verified { span.pill.merged { "Verified" } }
                            @let is_installed = installations.items.iter().any(|(_, known)| known.integration == integration.item.id);
                            @if is_installed { "Installed" } @else if settings.administers() { (install(&settings, integration)) }
                            @if settings.administers() && integration.owner.id == settings.organization.id {
                                a.btn href={ (address) "/" (integration.item.name) } aria-label={ "New version of " (integration.item.title) } { "New version" }
                                (unpublish(integration))
                            }
                        }
                    }
                }
            }
        }
        (more(&address, &[], more_available.as_deref().map(|cursor| ("available", cursor))))
        @if settings.administers() { (publish::form(&settings)) }
    };
    Ok(settings.respond(Area::Integrations, content))
}

/// Returns the icon of an integration, or a default icon.
fn image(settings: &Settings, item: &IntegrationRecord) -> Markup {
    let url = |hash: &String| settings.frame.at(&format!("/v1/integrations/{}/images/{hash}", item.name));
    html! {
        @match &item.icon {
            Some(hash) => { img src=(url(hash)) alt="" width="20" height="20"; }
            None => { (settings.frame.icon("layers", "")) }
        }
    }
}

fn install(settings: &Settings, integration: &IntegrationAt) -> Markup {
    let body = json!({"organization": settings.organization.id}).to_string();
    ApiForm {
        url: &format!("integrations/{}/installations", integration.item.name),
        body: Some(&body),
        submit: "Install",
        confirm: Some(&format!(
            "Install {}? It gets the access that its description lists.",
            integration.item.title
        )),
        ..ApiForm::default()
    }
    .alone(&format!("Install {}", integration.item.title))
}

fn unpublish(integration: &IntegrationAt) -> Markup {
    let title = &integration.item.title;
    ApiForm {
        method: "DELETE",
        url: &format!("integrations/{}", integration.item.name),
        submit: "Unpublish",
        confirm: Some(&format!("Unpublish {title}? It is uninstalled from all organizations.")),
        ..ApiForm::default()
    }
    .alone(&format!("Unpublish {title}"))
}

fn installation_of(
    settings: &Settings,
    integration: &IntegrationAt,
    installation: &InstallationRecord,
) -> Markup {
    let title = &integration.item.title;
    let url = format!("integrations/{}/installations/{}", installation.integration_name, installation.id);
    let value = |selection| match selection {
        Selection::All => "all",
        Selection::Selected => "selected",
    };
    let configuration = serde_json::to_string_pretty(&installation.configuration).unwrap_or_default();
    html! {
        section.panel {
            h3 { (title) }
            p.muted { (integration.item.summary.as_deref().unwrap_or(&integration.item.description)) }
            @if settings.organization.may(Action::InspectOrganization) {
                p { a href=(settings.at(&format!("integrations/{}/{}", installation.integration_name, installation.id))) { "Spaces and sites of " (title) } }
            }
            @if settings.administers() {
                div.actions {
                    (ApiForm { method: "PATCH", url: &url, ..ApiForm::default() }.in_place(&Select {
                        name: "space_selection",
                        label: &format!("Spaces of {title}"),
                        options: &SPACES,
                        value: value(installation.space_selection),
                        hint: None,
                    }))
                    (ApiForm { method: "PATCH", url: &url, ..ApiForm::default() }.in_place(&Select {
                        name: "site_selection",
                        label: &format!("Sites of {title}"),
                        options: &SITES,
                        value: value(installation.site_selection),
                        hint: None,
                    }))
                    (ApiForm {
                        method: "DELETE",
                        url: &url,
                        submit: "Uninstall",
                        confirm: Some(&format!("Uninstall {title} from all spaces and sites?")),
                        ..ApiForm::default()
                    }.alone(&format!("Uninstall {title}")))
                }
                details.settings {
                    summary { "Configure " (title) }
                    (ApiForm { method: "PATCH", url: &url, done: Some("Saved."), ..ApiForm::default() }.with(Json(TextArea {
                        name: "configuration",
                        label: "Configuration",
                        value: &configuration,
                        hint: Some("A JSON object with the properties that the integration describes."),
                        is_required: true,
                        is_list: false,
                    })))
                }
            }
        }
    }
}
