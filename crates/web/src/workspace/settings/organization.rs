//! `/o/{organizationId}/settings`: properties of the organization, and how people join it.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, Credentials};
use quire_storage::people::organizations::OrganizationRecord;

use super::merge_rules::RulesForm;
use super::{Area, ROLES, Settings, load, role_value};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Area as TextArea, Field, Select, Tick};

pub(super) async fn page(web: &WebData, caller: Credentials, id: OrganizationId) -> ApiResult<HttpResponse> {
    let names = |reader: &mut Reader<'_>, organization: &Authorized<OrganizationRecord>| {
        let rules = organization.merge_rules.clone().unwrap_or_default();
        Ok(reader.names_of(&rules.named_users())?)
    };
    let (settings, found) = load(web, caller, id, Action::AdministerOrganization, names).await?;
    let Some(names) = found else { return Ok(settings.refuse(Area::Organization, "admin")) };
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
        (rules.write())
        p { a href=(settings.frame.at("/~/new-organization")) { "Create another organization" } }
    };
    Ok(settings.respond(Area::Organization, content))
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
            (Tick { name: "secondFactorRequired", label: "Members need a second factor in browsers", value: None, is_ticked: organization.second_factor_required })
        }))
    }
}
