//! Shared parts of the pages of OpenID Connect and SAML providers.

use actix_web::HttpResponse;
use maud::{Markup, html};
use quire_domain::Role;
use quire_domain::bounds::{CLAIM_NAME_MAX, CLAIM_VALUE_MAX};
use quire_domain::claim_rules::{ClaimRule, ClaimRules};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, TeamId};
use quire_domain::policy::DEFAULT_ROLE;
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;
use quire_storage::people::teams::{ListedTeam, TeamFilter};
use serde_json::{Map, Value};

use super::{Area, ROLES, Settings, role_value};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Select};
use crate::workspace::tables::{ACTIONS, table, table_labelled_by};

/// Maximum number of teams that a form offers, newest first.
pub(super) const TEAMS: u16 = 200;

/// Returns a filter that matches all teams.
pub(super) fn all_teams() -> TeamFilter {
    TeamFilter { owner: None, title: String::new() }
}

/// Looks up a provider for an administrator, and the teams that its form offers.
///
/// # Errors
/// 404 for other callers.
pub(super) async fn load_provider<T: Send + 'static>(
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    find: impl Fn(&mut Reader<'_>) -> ApiResult<T> + Send + 'static,
) -> ApiResult<(Settings, T, Slice<ListedTeam>)> {
    let shared = web.clone();
    let work = move |reader: &mut Reader<'_>| {
        let settings = Settings::load(reader, &shared, id)?;
        if !settings.administers() {
            return Err(ApiError::not_found());
        }
        let provider = find(reader)?;
        let teams = reader.teams_of(&settings.organization, &all_teams(), None, TEAMS)?;
        Ok((settings, provider, teams))
    };
    web.state.read(caller, work).await
}

/// Page of a provider.
pub(super) struct ProviderPage<'a> {
    /// Label, which is the title of the page.
    pub(super) label: &'a str,
    /// Name that the provider gives itself, if known.
    pub(super) name: Option<&'a str>,
    /// API path of the provider below the organization.
    pub(super) path: String,
    /// Addresses to configure at the provider.
    pub(super) addresses: Markup,
    /// Address that starts a sign-in. `None` if the provider is not completely configured.
    pub(super) start: Option<&'a str>,
    /// Claims received by the last test.
    pub(super) claims: Markup,
    /// Fields of the settings.
    pub(super) fields: Markup,
    /// Rules for claims.
    pub(super) rules: RulesForm<'a>,
}

/// Rules of a provider that assign roles and teams by claims.
pub(super) struct RulesForm<'a> {
    pub(super) rules: &'a ClaimRules,
    /// Teams that a rule can assign.
    pub(super) teams: &'a Slice<ListedTeam>,
    /// Claims received by the last test.
    pub(super) received: Option<&'a Map<String, Value>>,
}

impl ProviderPage<'_> {
    /// Responds with the page.
    pub(super) fn respond(self, settings: &Settings) -> HttpResponse {
        let (url, list) = (settings.api(&self.path), format!("o/{}/sign-in", settings.organization.id));
        let content = html! {
            @if let Some(name) = self.name { p.sub { (name) } }
            h2 { "At the provider" }
            (self.addresses)
            h2 { "Test" }
            @if let Some(start) = self.start {
                p.muted { "Sign in at the provider to see the claims that it sends about you. Your session here stays the same." }
                div.actions { a.btn.primary href={ (start) "?purpose=test" } { "Test the provider" } }
                (self.claims)
            } @else {
                p.muted { "Enter the entity id, sign-in address and certificate of the provider first." }
            }
            (self.rules.write(&url))
            h2 { "Settings" }
            details.settings open[self.start.is_none()] {
                summary { "Change the provider" }
                (ApiForm { method: "PATCH", url: &url, is_primary: true, ..ApiForm::default() }.with(self.fields))
            }
            div.actions {
                (ApiForm {
                    method: "DELETE",
                    url: &url,
                    next: Some(&list),
                    submit: "Delete",
                    confirm: Some("Delete this provider? Members keep their accounts and can no longer sign in with it."),
                    ..ApiForm::default()
                }.alone("Delete the provider"))
            }
        };
        settings.respond_below(Area::SignIn, Some(self.label), content)
    }
}

impl RulesForm<'_> {
    /// Writes the form that replaces the rules. `url` is the API path of the provider.
    fn write(&self, url: &str) -> Markup {
        html! {
            h2 id="workspace:claim-rules" { "Roles and teams by claims" }
            p.muted { "At each sign-in, a member gets the highest role of the matching rules, joins their teams, and leaves the teams of the other rules. Teams without a rule stay the same." }
            (ApiForm { method: "PATCH", url, submit: "Save rules", ..ApiForm::default() }.with(html! {
                input type="hidden" name="claimRules" data-as="rows";
                (table_labelled_by(
                    "workspace:claim-rules",
                    &[("Claim", 17), ("Value", 17), ("Team", 17), ("Role", 17), ("Last test", 14), (ACTIONS, 18)],
                    self.rules.0.iter().map(Some).chain(self.rules.0.is_empty().then_some(None)).map(|rule| self.row(rule)),
                ))
                template { (self.row(None)) }
                button.btn type="button" data-add-row="" { "Add a rule" }
            }))
        }
    }

    fn row(&self, rule: Option<&ClaimRule>) -> Markup {
        let team = rule.and_then(|rule| rule.team);
        let role = rule.and_then(|rule| rule.role);
        // Keeps a team that is not in the list.
        let other = team.filter(|team| self.teams.items.iter().all(|listed| listed.team.id != *team));
        let text = |of: fn(&ClaimRule) -> &str| rule.map(of).unwrap_or_default();
        html! {
            tr data-row="" {
                td.field { input type="text" aria-label="Claim" value=(text(|rule| &rule.claim)) maxlength=(CLAIM_NAME_MAX) autocomplete="off" data-as="none" data-key="claim"; }
                td.field { input type="text" aria-label="Value" value=(text(|rule| &rule.value)) maxlength=(CLAIM_VALUE_MAX) autocomplete="off" data-as="none" data-key="value"; }
                td.field {
                    select aria-label="Team" data-as="none" data-key="team" {
                        option value="" { "None" }
                        @for listed in &self.teams.items {
                            option value=(listed.team.id) selected[team == Some(listed.team.id)] { (listed.team.title) }
                        }
                        @if let Some(other) = other { option value=(other) selected { "Another team" } }
                    }
                }
                td.field {
                    select aria-label="Role" data-as="none" data-key="role" {
                        option value="" { "None" }
                        // Rules cannot assign the guest role, which is no role.
                        @for (value, label) in ROLES.iter().skip(1) {
                            option value=(value) selected[role.is_some_and(|role| role.as_str() == *value)] { (label) }
                        }
                    }
                }
                td {
                    @if let (Some(rule), Some(received)) = (rule, self.received) {
                        @if rule.matches(received) { span.pill { "Matches" } } @else { "No match" }
                    }
                }
                td.end { button.btn type="button" data-remove-row="" aria-label="Remove the rule" { "Remove" } }
            }
        }
    }
}

/// Writes the fields for role and team of new members. `joining` has the values of an existing provider.
pub(super) fn joining_fields(
    joining: Option<(Option<Role>, Option<TeamId>)>,
    teams: &Slice<ListedTeam>,
) -> Markup {
    // For a new provider, omitting the field means no team.
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

/// Writes the table of claims received by a test.
pub(super) fn claims_table(
    settings: &Settings,
    tested_at: Option<Timestamp>,
    received: Option<&Map<String, Value>>,
) -> Markup {
    html! {
        @if let (Some(at), Some(received)) = (tested_at, received) {
            p { "Claims received " (settings.frame.ago(at)) }
            (table("Claims", &[("Claim", 35), ("Value", 65)], received.iter().map(|(name, value)| html! {
                tr { td { code { (name) } } td { (shown(value)) } }
            })))
        }
    }
}

/// Returns a claim as text.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}
