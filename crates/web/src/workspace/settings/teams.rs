//! `/o/{organizationId}/teams` and `/o/{organizationId}/teams/{teamId}`: teams and their members.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::policy::Action;
use quire_domain::teams::TeamRole;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::people::members::ShownMember;
use quire_storage::people::teams::TeamFilter;

use super::{Area, MOST, Settings, empty, load, more};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Field, Person, Select};
use crate::workspace::requests::{next, position};
use crate::workspace::shell::{counted, face, name_of};
use crate::workspace::tables::{ACTIONS, table};

const TEAM_ROLES: [(&str, &str); 2] = [("member", "Member"), ("owner", "Owner")];

fn value_of(role: TeamRole) -> &'static str {
    match role {
        TeamRole::Owner => "owner",
        TeamRole::Member => "member",
    }
}

fn title_field(value: &str) -> Field<'_> {
    Field { name: "title", label: "Title", value, is_required: true, longest: 100, ..Field::default() }
}

/// Responds to `/o/{organizationId}/teams`.
pub(super) async fn list(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let list = format!("teams in the settings of {id}");
    let after: Option<TeamId> = position(request, &list)?;
    let (settings, found) = load(web, caller, id, Action::ListTeams, move |reader, organization| {
        let filter = TeamFilter { owner: None, title: String::new() };
        Ok(reader.teams_of(organization, &filter, after, MOST)?)
    })
    .await?;
    let Some(teams) = found else { return Ok(settings.refuse(Area::Teams, "read")) };
    let cursor = next(&teams, &list, |listed| listed.team.id)?;
    let created = format!("o/{id}/teams/{{id}}");
    let content = html! {
        p.sub { (counted(teams.total, "team", "teams")) }
        @if settings.organization.may(Action::ManageTeam) {
            h2 { "New team" }
            (ApiForm { method: "PUT", url: &settings.api("teams"), next: Some(&created), submit: "Create team", is_primary: true, ..ApiForm::default() }
                .with(title_field("")))
        }
        h2 { "Teams" }
        @if teams.items.is_empty() {
            (empty("No teams yet", "A team has access to spaces and collections together: its members get its roles."))
        } @else {
            ul.list {
                @for listed in &teams.items {
                    li {
                        (settings.frame.icon("users", ""))
                        a.t href=(settings.at(&format!("teams/{}", listed.team.id))) { (listed.team.title) }
                        span.d { (counted(listed.members, "member", "members")) " · " (counted(listed.spaces, "space", "spaces")) }
                    }
                }
            }
        }
        (more(&settings.at("teams"), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
    };
    Ok(settings.respond(Area::Teams, content))
}

/// Responds to `/o/{organizationId}/teams/{teamId}`.
pub(super) async fn one(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    team: &str,
) -> ApiResult<HttpResponse> {
    let team: TeamId = team.parse().map_err(|_| ApiError::not_found())?;
    let list = format!("members of the team {team}");
    let after: Option<UserId> = position(request, &list)?;
    let shared = web.clone();
    let work = move |reader: &mut Reader<'_>| {
        let settings = Settings::load(reader, &shared, id)?;
        let team = reader.team(id, team)?.authorize(Action::ListTeams)?;
        let members = reader.team_members_of(&team, after, MOST)?;
        Ok((settings, team, members))
    };
    let (settings, team, members) = web.state.read(caller, work).await?;
    let manages = team.may(Action::ManageTeam);
    let cursor = next(&members, &list, |(member, _)| member.id)?;
    let url = settings.api(&format!("teams/{}", team.id));
    let added = format!("{url}/members/{{user}}");
    let content = html! {
        p.sub { (counted(members.total, "member", "members")) }
        @if manages {
            h2 { "Add a member" }
            (ApiForm { method: "PUT", url: &added, submit: "Add", is_primary: true, ..ApiForm::default() }.with(html! {
                (Person { name: "user", label: "Person", organization: id })
                (Select { name: "role", label: "Role in the team", options: &TEAM_ROLES, value: "member", hint: Some("Owners add and remove members.") })
            }))
        }
        h2 { "Members" }
        @if members.items.is_empty() {
            (empty("No members yet", "Members of the team have its access to spaces and collections."))
        } @else {
            (table("Members", &[("Name", 32), ("E-mail", 32), ("Role", 18), (ACTIONS, 18)], members.items.iter().map(|(member, role)| row(&url, member, *role, manages))))
        }
        (more(&settings.at(&format!("teams/{}", team.id)), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
        @if manages {
            h2 { "Settings" }
            (ApiForm { method: "PATCH", url: &url, submit: "Rename", ..ApiForm::default() }.with(title_field(&team.title)))
            h2 { "Delete" }
            p.muted { "Its members lose the access that the team gives them." }
            (ApiForm {
                method: "DELETE",
                url: &url,
                next: Some(&format!("o/{id}/teams")),
                submit: "Delete the team",
                confirm: Some(&format!("Delete the team {}?", team.title)),
                ..ApiForm::default()
            }.alone(&format!("Delete the team {}", team.title)))
        }
    };
    Ok(settings.respond_below(Area::Teams, Some(&team.title), content))
}

fn row(team: &str, member: &ShownMember, role: TeamRole, manages: bool) -> Markup {
    let name = name_of(&member.user);
    let url = format!("{team}/members/{}", member.id);
    html! {
        tr {
            td { (face(&member.user)) " " b { (name) } }
            td { (member.user.email().unwrap_or_default()) }
            td {
                @if manages {
                    (ApiForm { method: "PUT", url: &url, ..ApiForm::default() }.in_place(&Select {
                        name: "role",
                        label: &format!("Role of {name}"),
                        options: &TEAM_ROLES,
                        value: value_of(role),
                        hint: None,
                    }))
                } @else { (value_of(role)) }
            }
            td.end {
                @if manages {
                    (ApiForm {
                        method: "DELETE",
                        url: &url,
                        submit: "Remove",
                        confirm: Some(&format!("Remove {name} from the team?")),
                        ..ApiForm::default()
                    }.alone(&format!("Remove {name}")))
                }
            }
        }
    }
}
