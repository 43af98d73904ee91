//! `/o/{organizationId}/invites`: pending e-mail invites, and invite links.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{InviteId, OrganizationId};
use quire_domain::invites::EmailInviteFacts;
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::people::invites::{InviteRecord, InviteTarget};
use serde_json::json;

use super::{Area, MOST, ROLES, Settings, empty, load, more, role_name, role_value};
use crate::state::{Web, WebData};
use crate::workspace::forms::{Addresses, ApiForm, Area as TextArea, Copied, Select};
use crate::workspace::requests::{cursor, next};
use crate::workspace::shell::counted;
use crate::workspace::tables::{ACTIONS, table};

/// Returns the form that invites people by a list of addresses. `is_mailed` is true if the server sends mail.
pub(super) fn form(settings: &Settings, is_mailed: bool) -> Markup {
    let default = role_value(settings.organization.default_role);
    let hint = if is_mailed {
        "Paste a list: commas, spaces and lines separate the addresses. Each gets a mail with a link, which is shown here, too."
    } else {
        "Paste a list: commas, spaces and lines separate the addresses. Each gets a link, which you pass on."
    };
    html! {
        h2 { "Invite people" }
        (ApiForm { url: &settings.api("invites"), shows: Some("invites"), submit: "Invite", is_primary: true, ..ApiForm::default() }
            .with(html! {
                (Addresses(TextArea {
                    name: "emails",
                    label: "E-mail addresses",
                    value: "",
                    hint: Some(hint),
                    is_required: true,
                    is_list: false,
                }))
                (Select { name: "role", label: "Role", options: &ROLES, value: default, hint: None })
            }))
    }
}

pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let (by_email, by_link) = (format!("e-mail invites of {id}"), format!("invite links of {id}"));
    let email_after: Option<InviteId> = cursor(request, "invites", &by_email)?;
    let link_after = cursor(request, "links", &by_link)?;
    let (settings, found) =
        load(web, caller, id, Action::InspectOrganization, move |reader, organization| {
            let invites = reader.email_invites_of(organization, email_after, MOST)?;
            let links = reader.invites_of(organization, link_after, MOST)?;
            Ok((invites, links))
        })
        .await?;
    let Some((invites, links)) = found else { return Ok(settings.refuse(Area::Invites, "admin")) };
    let more_invites = next(&invites, &by_email, |invite| invite.id)?;
    let more_links = next(&links, &by_link, |link| link.seed)?;
    let address = settings.at("invites");
    let content = html! {
        p.sub { (counted(invites.total, "open invitation", "open invitations")) ", " (counted(links.total, "invite link", "invite links")) }
        @if settings.administers() { (form(&settings, web.state.settings.mail)) }
        h2 { "Open invitations" }
        (by_emails(&settings, &invites))
        (more(&address, &[], more_invites.as_deref().map(|cursor| ("invites", cursor))))
        h2 { "Invite links" }
        p.muted { "Everyone with a link joins with its role, until the link is disabled." }
        @if !settings.organization.invite_links {
            p.note { "Invite links are switched off in the " a href=(settings.at("settings")) { "settings" } "." }
        } @else if settings.administers() {
            (ApiForm { url: &settings.api("link-invites"), submit: "Create link", ..ApiForm::default() }.with(Select {
                name: "role", label: "Role of those who join", options: &ROLES, value: "read", hint: None,
            }))
        }
        (by_links(web, &settings, &links))
        (more(&address, &[], more_links.as_deref().map(|cursor| ("links", cursor))))
    };
    Ok(settings.respond(Area::Invites, content))
}

fn by_emails(settings: &Settings, invites: &Slice<EmailInviteFacts>) -> Markup {
    html! {
        @if invites.items.is_empty() {
            (empty("No open invitations", "Invitations that were not accepted yet are listed here for 14 days."))
        } @else {
            (table("Open invitations", &[("E-mail", 36), ("Role", 16), ("Sent", 16), (ACTIONS, 32)], invites.items.iter().map(|invite| email_row(settings, invite))))
        }
    }
}

fn email_row(settings: &Settings, invite: &EmailInviteFacts) -> Markup {
    let again = json!({"emails": [invite.email], "role": invite.role, "sso": invite.sso}).to_string();
    let email = &invite.email;
    html! {
        tr {
            td { b { (email) } }
            td { (role_name(invite.role)) }
            td { (settings.frame.ago(invite.created_at)) }
            td.end {
                @if settings.administers() {
                    (ApiForm { url: &settings.api("invites"), body: Some(&again), shows: Some("invites"), submit: "New link", ..ApiForm::default() }
                        .alone(&format!("New link for {email}")))
                    " "
                    (ApiForm {
                        method: "DELETE",
                        url: &settings.api(&format!("invites/{}", invite.id)),
                        submit: "Revoke",
                        confirm: Some(&format!("Revoke the invitation of {email}? Its link no longer works.")),
                        ..ApiForm::default()
                    }.alone(&format!("Revoke {email}")))
                }
            }
        }
    }
}

fn by_links(web: &Web, settings: &Settings, links: &Slice<InviteRecord>) -> Markup {
    html! {
        @if links.items.is_empty() {
            (empty("No invite links", "Links that let people join are listed here."))
        } @else {
            (table("Invite links", &[("Leads to", 24), ("Role", 18), ("Link", 42), (ACTIONS, 16)], links.items.iter().map(|link| link_row(web, settings, link))))
        }
    }
}

fn link_row(web: &Web, settings: &Settings, link: &InviteRecord) -> Markup {
    let (target, field) = match &link.target {
        InviteTarget::Organization => (settings.organization.title.as_str(), "role"),
        InviteTarget::Space(space) => (space.title.as_str(), "level"),
        InviteTarget::Collection(collection) => (collection.title.as_str(), "level"),
    };
    let url = settings.api(&format!("link-invites/{}", link.id));
    let copied = format!("Link to {target}");
    html! {
        tr {
            td { b { (target) } }
            td {
                @if settings.administers() {
                    (ApiForm { method: "PATCH", url: &url, ..ApiForm::default() }.in_place(&Select {
                        name: field,
                        label: &format!("Role by the link to {target}"),
                        options: &ROLES,
                        value: role_value(link.role),
                        hint: None,
                    }))
                } @else { (role_name(link.role)) }
            }
            td { (Copied { label: &copied, value: &web.state.urls.invite(link.id, None) }) }
            td.end {
                @if settings.administers() {
                    (ApiForm {
                        method: "DELETE",
                        url: &url,
                        submit: "Disable",
                        confirm: Some("Disable this link? People who joined with it stay members."),
                        ..ApiForm::default()
                    }.alone(&format!("Disable the link to {target}")))
                }
            }
        }
    }
}
