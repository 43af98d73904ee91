//! `/o/{organizationId}/settings`: properties of the organization, and how people join it.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, Credentials};
use quire_storage::people::organizations::OrganizationRecord;
use quire_storage::sites::{SiteFilter, SiteRecord};

use super::merge_rules::RulesForm;
use super::{Area, ROLES, Settings, load, role_value};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area as TextArea, Field, Select, Tick};

/// Maximum number of sites in the choice of the first one.
const MOST_SITES: u16 = 200;

pub(super) async fn page(web: &WebData, caller: Credentials, id: OrganizationId) -> ApiResult<HttpResponse> {
    let names = |reader: &mut Reader<'_>, organization: &Authorized<OrganizationRecord>| {
        let rules = organization.merge_rules.clone().unwrap_or_default();
        let sites = reader.sites_of(organization, &SiteFilter::default(), None, MOST_SITES)?.items;
        Ok((reader.names_of(&rules.named_users())?, sites))
    };
    let (settings, found) = load(web, caller, id, Action::AdministerOrganization, names).await?;
    let Some((names, sites)) = found else { return Ok(settings.refuse(Area::Organization, "admin")) };
    let organization = &settings.organization;
    let rules = RulesForm {
        rules: &organization.merge_rules.clone().unwrap_or_default(),
        inherited: None,
        names: &names,
        organization: organization.id,
        url: &format!("orgs/{}", organization.id),
    };
    let content = html! {
        (form(&settings))
        (first_site(&settings, &sites))
        (rules.write())
        p { a href=(settings.frame.at("/~/new-organization")) { "Create another organization" } }
    };
    Ok(settings.respond(Area::Organization, content))
}

/// Returns the form of the site that the start page shows first.
fn first_site(settings: &Settings, sites: &[SiteRecord]) -> Markup {
    let organization = &settings.organization;
    let url = format!("orgs/{}", organization.id);
    let shown = organization.first_site().map(|site| site.to_string());
    let ids: Vec<(String, &str)> =
        sites.iter().map(|site| (site.id.to_string(), site.title.as_str())).collect();
    let options: Vec<(&str, &str)> = ids.iter().map(|(id, title)| (id.as_str(), *title)).collect();
    let form = ApiForm { method: "PATCH", url: &url, ..ApiForm::default() };
    html! {
        @if !options.is_empty() {
            h2 { "Start page" }
            (ApiForm { body: Some(r#"{"defaultContent":{"type":"site"}}"#), submit: "Show the site first", ..form }.with(Select {
                name: "defaultContent.site",
                label: "Site on top of the start page",
                options: &options,
                value: shown.as_deref().unwrap_or_default(),
                hint: Some("All members see a link to it."),
            }))
            @if shown.is_some() {
                (ApiForm { body: Some(r#"{"defaultContent":null}"#), submit: "Show no site", ..form }.alone("Show no site"))
            }
        }
    }
}

fn form(settings: &Settings) -> Markup {
    let organization = &settings.organization;
    let url = format!("orgs/{}", organization.id);
    html! {
        p.sub { "Changes are visible to everybody in the organization at once." }
        (ApiForm { method: "PATCH", url: &url, done: Some("Saved."), is_primary: true, ..ApiForm::default() }.with(html! {
            (Field { name: "title", label: "Title", value: &organization.title, is_required: true, ..Field::default() })
            (Field {
                name: "hostname",
                label: "Subdomain",
                value: organization.hostname.as_deref().unwrap_or_default(),
                clears: true,
                hint: Some("Part of the addresses of its sites."),
                ..Field::default()
            })
            (Field {
                name: "logo",
                label: "Logo",
                kind: "url",
                value: organization.logo.as_deref().unwrap_or_default(),
                clears: true,
                hint: Some("Address of an image."),
                ..Field::default()
            })
            (Select {
                name: "defaultRole",
                label: "Role of new members",
                options: &ROLES,
                value: role_value(organization.default_role),
                hint: Some("Guests see only what is shared with them."),
            })
            (TextArea {
                name: "emailDomains",
                label: "E-mail domains",
                value: &organization.email_domains.join("\n"),
                hint: Some("One per line, such as example.com. People with such an address find the organization."),
                is_required: false,
                is_list: true,
            })
            (Tick { name: "inviteLinks", label: "People join by invite links", value: None, is_ticked: organization.invite_links })
            (Tick { name: "sso", label: "Members sign in with single sign-on only, once a provider was tested", value: None, is_ticked: organization.sso })
            (Tick { name: "ai", label: "Programs may use AI on the content. Integrations and front ends read this", value: None, is_ticked: organization.ai })
            (Tick { name: "secondFactorRequired", label: "Members need a second factor in browsers", value: None, is_ticked: organization.second_factor_required })
        }))
    }
}
