//! Parts of the pages of providers of every protocol.

use maud::{Markup, html};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::TeamId;
use quire_domain::policy::DEFAULT_ROLE;
use quire_storage::list::Slice;
use quire_storage::people::teams::{ListedTeam, TeamFilter};
use serde_json::{Map, Value};

use super::{ROLES, Settings, role_value};
use crate::workspace::forms::Select;

/// Teams that a form offers, newest first.
pub(super) const TEAMS: u16 = 200;

/// Returns the filter of all teams.
pub(super) fn all_teams() -> TeamFilter {
    TeamFilter { owner: None, title: String::new() }
}

/// Writes the fields of the role and team of new members: those of a provider, or of a new one.
pub(super) fn joining_fields(
    joining: Option<(Option<Role>, Option<TeamId>)>,
    teams: &Slice<ListedTeam>,
) -> Markup {
    // A new provider has no team unless one is sent.
    let none = if joining.is_some() { "null" } else { "" };
    let named: Vec<(String, &str)> =
        teams.items.iter().map(|listed| (listed.team.id.to_string(), listed.team.title.as_str())).collect();
    let options: Vec<(&str, &str)> = std::iter::once((none, "None"))
        .chain(named.iter().map(|(id, title)| (id.as_str(), *title)))
        .collect();
    let (role, team) = joining.unwrap_or((Some(DEFAULT_ROLE), None));
    let team = team.map(|team| team.to_string());
    html! {
        (Select {
            name: "defaultRole", label: "Role of new members", options: &ROLES, value: role_value(role),
            hint: Some("Guests see only what is shared with them."),
        })
        (Select { name: "defaultTeam", label: "Team of new members", options: &options, value: team.as_deref().unwrap_or(none), hint: None })
    }
}

/// Writes the table of the claims that a test received.
pub(super) fn claims_table(
    settings: &Settings,
    tested_at: Option<Timestamp>,
    received: Option<&Map<String, Value>>,
) -> Markup {
    html! {
        @if let (Some(at), Some(received)) = (tested_at, received) {
            p { "Claims received " (settings.frame.ago(at)) }
            div.table tabindex="0" role="region" aria-label="Claims" {
                table {
                    thead { tr { th { "Claim" } th { "Value" } } }
                    tbody {
                        @for (name, value) in received { tr { td { code { (name) } } td { (shown(value)) } } }
                    }
                }
            }
        }
    }
}

/// Returns a claim as text.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}
