//! `/o/{organizationId}/people`: members, their roles, and the invite form.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::OrganizationId;
use quire_domain::members::MemberSort;
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::lookup::Credentials;
use quire_storage::people::members::{MemberFilter, MemberKey, ShownMember};

use super::{Area, MOST, ROLES, Settings, empty, invites, load, more, role_name, role_value};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Select};
use crate::workspace::requests::{next, parameter, position};
use crate::workspace::shell::{counted, face, name_of};
use crate::workspace::tables::{ACTIONS, table};

/// Maximum length of the filter text.
const LONGEST_FILTER: usize = 512;

pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let search: String =
        parameter(request, "query").unwrap_or_default().chars().take(LONGEST_FILTER).collect();
    let list = format!("people of {id}: {search}");
    let after: Option<MemberKey> = position(request, &list)?;
    let filter = MemberFilter { search: search.trim().to_owned(), ..MemberFilter::default() };
    let (settings, found) = load(web, caller, id, Action::ListMembers, move |reader, organization| {
        Ok(reader.members_of(organization, &filter, after, MOST)?)
    })
    .await?;
    let Some(members) = found else { return Ok(settings.refuse(Area::People, "read")) };
    let cursor = next(&members, &list, |member| MemberKey::of(member, MemberSort::JoinedAt))?;
    let content = html! {
        p.sub { (counted(members.total, "member", "members")) }
        @if settings.administers() { (invites::form(&settings, web.state.settings.mail)) }
        h2 { "Members" }
        form.filters role="search" aria-label="Members" {
            label { "Name or e-mail address" input type="search" name="query" value=(search) maxlength=(LONGEST_FILTER); }
            button.btn type="submit" { "Filter" }
        }
        @if members.items.is_empty() {
            (empty("No members here", "Members whose name or e-mail address contains the text are listed here."))
        } @else {
            (table(
                "Members",
                &[("Name", 30), ("E-mail", 28), ("Role", 14), ("Last seen", 14), (ACTIONS, 14)],
                members.items.iter().map(|member| row(&settings, member)),
            ))
        }
        (more(&settings.at("people"), &[("query", &search)], cursor.as_deref().map(|cursor| ("page", cursor))))
    };
    Ok(settings.respond(Area::People, content))
}

fn row(settings: &Settings, member: &ShownMember) -> Markup {
    let name = name_of(&member.user);
    let url = settings.api(&format!("members/{}", member.id));
    let is_caller = settings.organization.actor().user == member.id;
    let title = &settings.organization.title;
    html! {
        tr {
            td {
                (face(&member.user)) " " b { (name) } @if is_caller { " (you)" }
                @if member.disabled { " " span.pill { "Disabled" } }
                @if settings.administers() && !member.reach.has_factor { " " span.pill { "No second factor" } }
            }
            td { (member.user.email().unwrap_or_default()) @if member.sso { div.d { "Single sign-on" } } }
            td {
                @if settings.administers() {
                    (ApiForm { method: "PATCH", url: &url, ..ApiForm::default() }.in_place(&Select {
                        name: "role",
                        label: &format!("Role of {name}"),
                        options: &ROLES,
                        value: role_value(member.role),
                        hint: None,
                    }))
                } @else { (role_name(member.role)) }
            }
            td { @if let Some(seen) = member.last_seen_at { (settings.frame.ago(seen)) } @else { span.muted { "never" } } }
            td.end {
                @if is_caller {
                    (ApiForm {
                        method: "DELETE",
                        url: &url,
                        next: Some(""),
                        submit: "Leave",
                        confirm: Some(&format!("Leave {title}? You lose access to its spaces.")),
                        ..ApiForm::default()
                    }.alone(&format!("Leave {title}")))
                } @else if settings.administers() {
                    (ApiForm {
                        method: "DELETE",
                        url: &url,
                        submit: "Remove",
                        confirm: Some(&format!("Remove {name} from {title}? Their pages and comments stay.")),
                        ..ApiForm::default()
                    }.alone(&format!("Remove {name}")))
                }
            }
        }
    }
}
