//! Access to a space or collection: roles granted to users and teams, and all users with a role.

use actix_web::HttpRequest;
use maud::{Markup, html};
use quire_domain::Role;
use quire_domain::ids::{GrantId, OrganizationId, UserId};
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::list::Slice;
use quire_storage::lookup::Actor;
use quire_storage::people::permissions::{Shared, TeamGrant, UserGrant};

use super::{MOST, ROLES, empty, more, role_name, role_value};
use crate::workspace::forms::{ApiForm, Person, Select, Team};
use crate::workspace::requests::{cursor, next};
use crate::workspace::shell::{avatar, counted, face, name_of};
use crate::workspace::tables::{ACTIONS, table};

/// Positions in the lists of the page.
#[derive(Clone, Copy)]
pub(super) struct Positions {
    users: Option<GrantId>,
    teams: Option<GrantId>,
    all: Option<UserId>,
}

impl Positions {
    pub(super) fn of(request: &HttpRequest, url: &str) -> ApiResult<Self> {
        Ok(Self {
            users: cursor(request, "people", &format!("people of {url}"))?,
            teams: cursor(request, "teams", &format!("teams of {url}"))?,
            all: cursor(request, "all", &format!("access to {url}"))?,
        })
    }
}

/// Roles on a space or collection.
pub(super) struct Access {
    organization: OrganizationId,
    users: Slice<UserGrant>,
    teams: Slice<TeamGrant>,
    all: Slice<UserGrant>,
}

impl Access {
    /// Loads the roles: seven statements.
    pub(super) fn load(
        reader: &mut Reader<'_>,
        organization: OrganizationId,
        shared: Shared<'_>,
        actor: Actor,
        at: Positions,
    ) -> ApiResult<Self> {
        Ok(Self {
            organization,
            users: reader.user_grants(shared, at.users, MOST)?,
            teams: reader.team_grants(shared, actor, at.teams, MOST)?,
            all: reader.roles_on(shared, None, at.all, MOST)?,
        })
    }

    /// Returns the content of the page. `url` is the API path of the space or collection, `address` the address of the
    /// page.
    pub(super) fn write(&self, url: &str, address: &str) -> ApiResult<Markup> {
        let users = next(&self.users, &format!("people of {url}"), |grant| grant.id)?;
        let teams = next(&self.teams, &format!("teams of {url}"), |grant| grant.id)?;
        let all = next(&self.all, &format!("access to {url}"), |grant| grant.user.id())?;
        Ok(html! {
            (self.forms(url))
            h2 { "People" }
            (grants("People", self.users.items.iter().map(|grant| self.user_row(url, grant))))
            (more(address, &[], users.as_deref().map(|cursor| ("people", cursor))))
            h2 { "Teams" }
            (grants("Teams", self.teams.items.iter().map(|grant| team_row(url, grant))))
            (more(address, &[], teams.as_deref().map(|cursor| ("teams", cursor))))
            h2 { "Everybody with access" }
            p.muted { (counted(self.all.total, "person has", "people have")) " a role, from here, from a collection above, or as members." }
            @if self.all.items.is_empty() { (empty("No roles", "People who have a role here are listed.")) }
            @else { (table("Everybody with access", &[("Name", 75), ("Role", 25)], self.all.items.iter().map(all_row))) }
            (more(address, &[], all.as_deref().map(|cursor| ("all", cursor))))
        })
    }

    fn forms(&self, url: &str) -> Markup {
        let url = format!("{url}/permissions");
        let organization = self.organization;
        html! {
            h2 { "Give access" }
            div.panels {
                (ApiForm { url: &url, submit: "Add person", is_primary: true, ..ApiForm::default() }.named("To a person", html! {
                    (Person { name: "users.0", label: "Person", organization })
                    (role("Role of the person"))
                }))
                (ApiForm { url: &url, submit: "Add team", ..ApiForm::default() }.named("To a team", html! {
                    (Team { name: "teams.0", label: "Team", organization })
                    (role("Role of the team"))
                }))
            }
        }
    }

    fn user_row(&self, url: &str, grant: &UserGrant) -> Markup {
        let name = name_of(&grant.user);
        match grant.user.id() {
            Some(id) => row(&name, grant.user.email(), grant.role, &format!("{url}/permissions/users/{id}")),
            None => html! {},
        }
    }
}

/// Returns the roles that can be granted, which excludes guests.
pub(super) fn given() -> &'static [(&'static str, &'static str)] {
    ROLES.split_first().map_or(&[], |(_, given)| given)
}

fn role(label: &str) -> Select<'_> {
    Select { name: "role", label, options: given(), value: "read", hint: None }
}

fn team_row(url: &str, grant: &TeamGrant) -> Markup {
    let team = &grant.team.team;
    row(&team.title, None, grant.role, &format!("{url}/permissions/teams/{}", team.id))
}

fn all_row(grant: &UserGrant) -> Markup {
    let name = name_of(&grant.user);
    html! {
        tr {
            td { (face(&grant.user)) " " b { (name) } @if let Some(email) = grant.user.email() { div.d { (email) } } }
            td { (role_name(Some(grant.role))) }
        }
    }
}

fn row(name: &str, about: Option<&str>, role: Role, url: &str) -> Markup {
    html! {
        tr {
            td { (avatar(name)) " " b { (name) } @if let Some(about) = about { div.d { (about) } } }
            td {
                (ApiForm { method: "PATCH", url, ..ApiForm::default() }.in_place(&Select {
                    name: "role",
                    label: &format!("Role of {name}"),
                    options: given(),
                    value: role_value(Some(role)),
                    hint: None,
                }))
            }
            td.end {
                (ApiForm {
                    method: "DELETE",
                    url,
                    submit: "Remove",
                    confirm: Some(&format!("Remove the role of {name} here? Roles from elsewhere stay.")),
                    ..ApiForm::default()
                }.alone(&format!("Remove {name}")))
            }
        }
    }
}

fn grants(label: &str, rows: impl Iterator<Item = Markup>) -> Markup {
    let rows: Vec<Markup> = rows.collect();
    html! {
        @if rows.is_empty() {
            (empty("No roles given here", "Roles given here are listed with the people and teams that have them."))
        } @else {
            (table(label, &[("Name", 62), ("Role", 20), (ACTIONS, 18)], rows))
        }
    }
}
