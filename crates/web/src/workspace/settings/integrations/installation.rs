//! `/o/{organizationId}/integrations/{integrationName}/{installationId}`: spaces and sites with an installed
//! integration.

use std::collections::HashMap;
use std::fmt::Display;

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, Render as _, html};
use quire_domain::ids::{InstallationId, OrganizationId, SiteId, SpaceId};
use quire_domain::policy::Action;
use quire_server::{ApiError, ApiResult};
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::operations::integrations::ScopedInstallation;
use quire_storage::sites::{SiteFilter, SiteRecord};

use super::super::{Area, MOST, empty, load, more};
use crate::state::WebData;
use crate::workspace::directory::MOST_OFFERED;
use crate::workspace::forms::{ApiForm, Area as TextArea, Json, Select, dialog};
use crate::workspace::requests::{cursor, next};

/// Space or site.
struct Target {
    id: String,
    title: String,
    /// Configuration for it as JSON. Empty without one.
    configuration: String,
}

/// List of the spaces or the sites of an installation.
struct List<'a> {
    /// `spaces` or `sites`.
    path: &'a str,
    /// Singular noun for an item.
    one: &'a str,
    /// Member of the body that identifies a new item.
    key: &'a str,
    on: &'a [Target],
    offered: &'a [Target],
    icon: Markup,
    more: Markup,
}

pub(in super::super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    (name, installation): (&str, &str),
) -> ApiResult<HttpResponse> {
    let installation: InstallationId = installation.parse().map_err(|_| ApiError::not_found())?;
    let (spaces_list, sites_list) = (format!("spaces of {installation}"), format!("sites of {installation}"));
    let spaces_after: Option<SpaceId> = cursor(request, "spaces", &spaces_list)?;
    let sites_after: Option<SiteId> = cursor(request, "sites", &sites_list)?;
    let key = name.to_owned();
    let (settings, found) =
        load(web, caller, id, Action::InspectOrganization, move |reader, organization| {
            let installed =
                reader.installation(&key, installation)?.authorize(Action::InspectOrganization)?;
            if installed.organization.id != organization.id {
                return Err(ApiError::not_found());
            }
            let spaces = reader.installations_below::<SpaceRecord>(&installed, spaces_after, MOST)?;
            let sites = reader.installations_below::<SiteRecord>(&installed, sites_after, MOST)?;
            let offered = reader.spaces_of(organization.id, None, MOST_OFFERED)?;
            let offered_sites = reader.sites_of(organization, &SiteFilter::default(), None, MOST_OFFERED)?;
            Ok((installed.into_inner().item, spaces, sites, offered, offered_sites))
        })
        .await?;
    let Some((installed, spaces, sites, offered, offered_sites)) = found else {
        return Ok(settings.refuse(Area::Integrations, "create"));
    };
    let more_spaces = next(&spaces, &spaces_list, |on| on.target)?;
    let more_sites = next(&sites, &sites_list, |on| on.target)?;
    let title = format!("{} on spaces and sites", installed.integration_name);
    let address = settings.at(&format!("integrations/{}/{installation}", installed.integration_name));
    let url = format!("integrations/{}/installations/{installation}", installed.integration_name);
    let spaces_of: Vec<Target> =
        rows(&offered, |listed| (listed.space.id.to_string(), listed.space.title.clone()));
    let sites_of: Vec<Target> = rows(&offered_sites, |site| (site.id.to_string(), site.title.clone()));
    let content = html! {
        (List {
            path: "spaces",
            one: "space",
            key: "space",
            on: &on(&spaces, &spaces_of),
            offered: &spaces_of,
            icon: settings.frame.icon("file-text", ""),
            more: more(&address, &[], more_spaces.as_deref().map(|cursor| ("spaces", cursor))),
        }.write(&url))
        (List {
            path: "sites",
            one: "site",
            key: "siteId",
            on: &on(&sites, &sites_of),
            offered: &sites_of,
            icon: settings.frame.icon("globe", ""),
            more: more(&address, &[], more_sites.as_deref().map(|cursor| ("sites", cursor))),
        }.write(&url))
    };
    Ok(settings.respond_below(Area::Integrations, Some(&title), content))
}

fn rows<T>(slice: &Slice<T>, row: impl Fn(&T) -> (String, String)) -> Vec<Target> {
    slice
        .items
        .iter()
        .map(row)
        .map(|(id, title)| Target { id, title, configuration: String::new() })
        .collect()
}

/// Returns the rows of installations. If the target is not offered, for example a deleted space, its id is the title.
fn on<P: Display>(installed: &Slice<ScopedInstallation<P>>, offered: &[Target]) -> Vec<Target> {
    let titles: HashMap<&str, &str> =
        offered.iter().map(|row| (row.id.as_str(), row.title.as_str())).collect();
    let row = |on: &ScopedInstallation<P>| {
        let id = on.target.to_string();
        let title = titles.get(id.as_str()).map_or_else(|| id.clone(), |title| (*title).to_owned());
        let configuration = serde_json::to_string_pretty(&on.configuration).unwrap_or_default();
        Target { id, title, configuration }
    };
    installed.items.iter().map(row).collect()
}

impl List<'_> {
    fn write(&self, url: &str) -> Markup {
        let url = format!("{url}/{}", self.path);
        let is_on = |row: &Target| self.on.iter().any(|on| on.id == row.id);
        let free: Vec<(&str, &str)> = self
            .offered
            .iter()
            .filter(|row| !is_on(row))
            .map(|row| (row.id.as_str(), row.title.as_str()))
            .collect();
        html! {
            h2 { "Installed " (self.path) }
            @if self.on.is_empty() {
                (empty(&format!("No {}", self.path), &format!("The integration is not installed on a {} yet.", self.one)))
            } @else {
                ul.list {
                    @for row in self.on {
                        li {
                            (self.icon)
                            span.t { (row.title) }
                            span.w {
                                (configure(&format!("{url}/{}", row.id), row))
                                (ApiForm { method: "DELETE", url: &format!("{url}/{}", row.id), submit: "Remove", ..ApiForm::default() }
                                    .alone(&format!("Remove it from {}", row.title)))
                            }
                        }
                    }
                }
                (self.more)
            }
            @if !free.is_empty() {
                (ApiForm { url: &url, submit: "Install", ..ApiForm::default() }.with(Select {
                    name: self.key,
                    label: &format!("Add a {}", self.one),
                    options: &free,
                    value: "",
                    hint: None,
                }))
            }
        }
    }
}

/// Returns the button and the dialog that change the configuration on a space or site.
fn configure(url: &str, row: &Target) -> Markup {
    let id = format!("configure-{}", row.id);
    let label = format!("Configuration on {}", row.title);
    html! {
        button.btn type="button" data-dialog=(id) aria-label={ "Configure it on " (row.title) } { "Configure" }
        (dialog(&id, &label, Json(TextArea {
            name: "configuration",
            label: &label,
            value: &row.configuration,
            hint: Some("A JSON object with the properties that the integration describes."),
            is_required: true,
            is_list: false,
        }).render(), ApiForm { method: "PATCH", url, is_primary: true, ..ApiForm::default() }.button()))
    }
}
