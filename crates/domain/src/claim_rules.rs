//! Rules of sign-in providers that give roles and teams by claims (docs/adr/0060-claim-rules.md).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{apply, skip_serializing_none};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use crate::ids::TeamId;
use crate::patch;
use crate::policy::ADMINISTRATOR;
use crate::role::Role;
use crate::text_checks;
use crate::texts;

/// Rule that gives a role, a team or both to users with a claim.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClaimRule {
    /// Name of the claim, with dots between the levels of nested claims; for SAML `Name` or `FriendlyName` of an
    /// attribute.
    pub claim: String,
    /// Value of the claim, or one of its values.
    pub value: String,
    /// Id of the team that users with the claim are members of.
    pub team: Option<TeamId>,
    /// Role of users with the claim. The highest role of the matching rules counts.
    pub role: Option<Role>,
}

/// Rule in a request, with a team, a role or both.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Validate, ToSchema)]
#[validate(schema(function = "has_team_or_role"))]
pub struct ClaimRuleInput {
    /// Name of the claim, with dots between the levels of nested claims; for SAML `Name` or `FriendlyName` of an
    /// attribute.
    #[validate(custom(function = "texts::ClaimName::check"))]
    pub claim: texts::ClaimName,
    /// Value of the claim, or one of its values.
    #[validate(custom(function = "texts::ClaimValue::check"))]
    pub value: texts::ClaimValue,
    /// Id of the team that users with the claim are members of.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = TeamId, required = false)]
    pub team: Option<TeamId>,
    /// Role of users with the claim.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = Role, required = false)]
    pub role: Option<Role>,
}

fn has_team_or_role(rule: &ClaimRuleInput) -> Result<(), ValidationError> {
    match (rule.team, rule.role) {
        (None, None) => Err(text_checks::error("needed", "must have a `team`, a `role` or both")),
        _ => Ok(()),
    }
}

impl ClaimRule {
    /// Returns whether the claim of the rule has the value of the rule, or is a list with it. Texts are compared
    /// exactly, numbers and booleans by their JSON form.
    #[must_use]
    pub fn matches(&self, claims: &Map<String, Value>) -> bool {
        match find(claims, &self.claim) {
            Some(Value::Array(values)) => values.iter().any(|value| is(value, &self.value)),
            Some(value) => is(value, &self.value),
            None => false,
        }
    }
}

/// Returns the claim at a path. A claim whose own name has dots takes precedence over nested claims.
fn find<'a>(claims: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    if let Some(value) = claims.get(path) {
        return Some(value);
    }
    path.rmatch_indices('.').find_map(|(dot, _)| {
        let (name, rest) = path.split_at(dot);
        find(claims.get(name)?.as_object()?, rest.get(1..)?)
    })
}

fn is(value: &Value, text: &str) -> bool {
    match value {
        Value::String(value) => value == text,
        Value::Number(value) => value.to_string() == text,
        Value::Bool(value) => (if *value { "true" } else { "false" }) == text,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Rules of a provider, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimRules(pub Vec<ClaimRule>);

/// Teams that the rules of a provider name, by whether one of their rules matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuledTeams {
    /// Teams with a matching rule.
    pub joined: Vec<TeamId>,
    /// Teams without a matching rule.
    pub left: Vec<TeamId>,
}

impl ClaimRules {
    /// Returns whether a rule gives a role.
    #[must_use]
    pub fn give_roles(&self) -> bool {
        self.0.iter().any(|rule| rule.role.is_some())
    }

    /// Returns the highest role of the rules that match.
    #[must_use]
    pub fn role(&self, claims: &Map<String, Value>) -> Option<Role> {
        self.0
            .iter()
            .filter(|rule| rule.role.is_some() && rule.matches(claims))
            .filter_map(|rule| rule.role)
            .max()
    }

    /// Returns the teams of the rules.
    #[must_use]
    pub fn teams(&self, claims: &Map<String, Value>) -> RuledTeams {
        let mut teams = RuledTeams::default();
        for rule in &self.0 {
            let Some(team) = rule.team.filter(|team| !teams.joined.contains(team)) else { continue };
            if rule.matches(claims) {
                teams.left.retain(|left| *left != team);
                teams.joined.push(team);
            } else if !teams.left.contains(&team) {
                teams.left.push(team);
            }
        }
        teams
    }
}

/// Role of a member, and the role that a rule gave last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuledRole {
    /// Role of the member; `None` for a guest.
    pub role: Option<Role>,
    /// Role that a rule gave last; `None` if no rule did, or an administrator has since given another one.
    pub given: Option<Role>,
}

impl RuledRole {
    /// Returns the role after a sign-in with a provider that has rules for roles. `matched` is the role that they give.
    ///
    /// Without a match, the default role replaces a role that a rule gave; a role that an administrator gave stays. A
    /// rule never demotes a member whom an administrator promoted to administrator.
    #[must_use]
    pub fn after_sign_in(self, matched: Option<Role>, default: Option<Role>) -> Self {
        let is_given = self.given.is_some() && self.role == self.given;
        if self.role == Some(ADMINISTRATOR) && !is_given {
            return Self { given: None, ..self };
        }
        match matched {
            Some(role) => Self { role: Some(role), given: Some(role) },
            None if is_given => Self { role: default, given: None },
            None => Self { given: None, ..self },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn claims(value: Value) -> Map<String, Value> {
        let Value::Object(claims) = value else { panic!("claims are an object") };
        claims
    }

    fn rule(claim: &str, value: &str) -> ClaimRule {
        ClaimRule { claim: claim.to_owned(), value: value.to_owned(), team: None, role: Some(Role::Edit) }
    }

    #[test]
    fn values_lists_and_levels_match() {
        let claims = claims(json!({
            "groups": ["docs-editors", "staff", 7, null, ["nested"], {"a": "b"}],
            "department": "Docs", "level": 3, "employed": true, "manager": null,
            "realm_access": {"roles": ["writer"], "a.b": {"c": "deep"}},
            "realm_access.roles": "exact", "x": {"y": ["z"]}, "x.y": {"w": "v"},
        }));
        for (claim, value) in [
            ("groups", "docs-editors"),
            ("groups", "7"),
            ("department", "Docs"),
            ("level", "3"),
            ("employed", "true"),
            ("realm_access.roles", "exact"),
            ("realm_access.a.b.c", "deep"),
            ("x.y.w", "v"),
        ] {
            assert!(rule(claim, value).matches(&claims), "{claim} = {value}");
        }
        for (claim, value) in [
            ("groups", "docs"),
            ("groups", "Staff"),
            ("groups", "nested"),
            ("groups", "null"),
            ("department", "docs"),
            ("level", "3.0"),
            ("employed", "True"),
            ("manager", "null"),
            ("realm_access.roles", "writer"),
            ("realm_access", "roles"),
            ("x.y", "z"),
            ("absent", "a"),
            ("absent.roles", "a"),
            ("groups.0", "docs-editors"),
            (".", "a"),
        ] {
            assert!(!rule(claim, value).matches(&claims), "{claim} = {value}");
        }
    }

    #[test]
    fn the_highest_role_counts_and_one_matching_rule_of_a_team_is_enough() {
        let team = |last: u8| TeamId::from_uuid(Uuid::from_u128(u128::from(last)));
        let of = |value: &str, role: Option<Role>, team: Option<TeamId>| ClaimRule {
            role,
            team,
            ..rule("groups", value)
        };
        let rules = ClaimRules(vec![
            of("a", Some(Role::Read), Some(team(1))),
            of("b", Some(Role::Create), Some(team(2))),
            of("c", Some(Role::Edit), None),
            of("a", None, Some(team(2))),
            of("c", None, Some(team(1))),
            of("d", None, Some(team(3))),
            of("e", None, Some(team(3))),
        ]);
        assert!(rules.give_roles());
        let some = claims(json!({"groups": ["a", "c"]}));
        assert_eq!(rules.role(&some), Some(Role::Edit));
        assert_eq!(rules.teams(&some), RuledTeams { joined: vec![team(1), team(2)], left: vec![team(3)] });
        let none = claims(json!({"groups": []}));
        assert_eq!(rules.role(&none), None);
        assert_eq!(
            rules.teams(&none),
            RuledTeams { joined: Vec::new(), left: vec![team(1), team(2), team(3)] }
        );
        assert!(!ClaimRules(vec![of("a", None, Some(team(1)))]).give_roles());
    }

    #[test]
    fn a_role_by_a_rule_ends_with_it_and_one_by_a_person_stays() {
        let (read, edit, admin) = (Some(Role::Read), Some(Role::Edit), Some(Role::Admin));
        let ruled = |role, given| RuledRole { role, given };
        for (before, matched, after) in [
            // A rule decides as long as it matches.
            (ruled(None, None), edit, ruled(edit, edit)),
            (ruled(Some(Role::Create), None), edit, ruled(edit, edit)),
            (ruled(edit, None), edit, ruled(edit, edit)),
            (ruled(edit, edit), admin, ruled(admin, admin)),
            (ruled(admin, admin), edit, ruled(edit, edit)),
            // Without a match, only a role that a rule gave is replaced.
            (ruled(edit, edit), None, ruled(read, None)),
            (ruled(admin, admin), None, ruled(read, None)),
            (ruled(edit, None), None, ruled(edit, None)),
            (ruled(None, None), None, ruled(None, None)),
            (ruled(Some(Role::Create), edit), None, ruled(Some(Role::Create), None)),
            // An administrator promoted the member to administrator.
            (ruled(admin, None), edit, ruled(admin, None)),
            (ruled(admin, edit), edit, ruled(admin, None)),
            (ruled(admin, None), None, ruled(admin, None)),
        ] {
            assert_eq!(before.after_sign_in(matched, read), after, "{before:?} and {matched:?}");
        }
    }
}
