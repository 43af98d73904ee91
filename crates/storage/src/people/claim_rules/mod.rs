//! Roles and teams of members from the claim rules of their sign-in provider (docs/adr/0060-claim-rules.md).

use diesel::prelude::*;
use diesel::sql_types::{Array, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::claim_rules::{ClaimRules, RuledRole, RuledTeams};
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::Membership;
use quire_domain::webhooks::EventKind;
use serde_json::{Map, Value};

use crate::Result;
use crate::people::members::member_event;
use crate::schema::organization_members;
use crate::transaction::Tx;

sql_files! {
    JoinTeams(SqlUuid, SqlUuid, Array<SqlUuid>) = "join_teams.sql";
    LeaveTeams(SqlUuid, SqlUuid, Array<SqlUuid>) = "leave_teams.sql";
}

/// Operation of the audit log entry for a membership changed by rules.
const APPLY_CLAIM_RULES: &str = "applyClaimRules";

/// Sign-in with a provider that has claim rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuledSignIn<'a> {
    pub(crate) organization: OrganizationId,
    pub(crate) rules: &'a ClaimRules,
    pub(crate) default_role: Option<Role>,
    pub(crate) claims: &'a Map<String, Value>,
}

impl RuledSignIn<'_> {
    /// Returns the role of a user who joins the organization.
    pub(crate) fn role_of_new_member(&self) -> Option<Role> {
        self.rules.role(self.claims).or(self.default_role)
    }
}

impl Tx<'_> {
    /// Applies the matching rules to a member's role and teams, and reverts those of rules that no longer match. An
    /// unchanged membership is not written. A user who is not a member is not added.
    ///
    /// The last administrator keeps that role.
    pub(crate) fn apply_claim_rules(&mut self, sign_in: RuledSignIn<'_>, user: UserId) -> Result<()> {
        let RuledSignIn { organization, rules, .. } = sign_in;
        let mut has_changed = rules.give_roles() && self.apply_role_rules(sign_in, user)?;
        let RuledTeams { joined, left } = rules.teams(sign_in.claims);
        if !joined.is_empty() {
            has_changed |= JoinTeams::bind((organization, user, joined)).execute(self.connection)? > 0;
        }
        if !left.is_empty() {
            has_changed |= LeaveTeams::bind((organization, user, left)).execute(self.connection)? > 0;
        }
        if has_changed {
            self.record_also(organization, APPLY_CLAIM_RULES, ("user", user));
        }
        Ok(())
    }

    /// Records that a rule set the role of a member who has just joined.
    pub(crate) fn remember_role_of_rule(&mut self, sign_in: RuledSignIn<'_>, user: UserId) -> Result<()> {
        let Some(given) = sign_in.rules.role(sign_in.claims) else { return Ok(()) };
        diesel::update(organization_members::table.find((sign_in.organization, user)))
            .set(organization_members::rule_role.eq(given.rank()))
            .execute(self.connection)?;
        Ok(())
    }

    /// Applies the role rules. Returns whether the role has changed.
    fn apply_role_rules(&mut self, sign_in: RuledSignIn<'_>, user: UserId) -> Result<bool> {
        let RuledSignIn { organization, rules, default_role, claims } = sign_in;
        let matched = rules.role(claims);
        let mut before = self.ruled_role(organization, user)?;
        if before.is_some_and(|role| role.after_sign_in(matched, default_role) != role) {
            self.lock_organization(organization)?;
            before = self.ruled_role(organization, user)?;
        }
        let Some(before) = before else { return Ok(false) };
        let after = before.after_sign_in(matched, default_role);
        let membership = Membership::of_member(after.role, false);
        if after == before || !self.has_administrator_after(organization, user, membership)? {
            return Ok(false);
        }
        diesel::update(organization_members::table.find((organization, user)))
            .set((
                organization_members::role.eq(after.role.map(Role::rank)),
                organization_members::rule_role.eq(after.given.map(Role::rank)),
            ))
            .execute(self.connection)?;
        if after.role == before.role {
            return Ok(false);
        }
        self.emit(organization, member_event(EventKind::MemberUpdated, user, after.role))?;
        Ok(true)
    }

    fn ruled_role(&mut self, organization: OrganizationId, user: UserId) -> Result<Option<RuledRole>> {
        let found: Option<(Option<Role>, Option<Role>)> = organization_members::table
            .find((organization, user))
            .select((organization_members::role, organization_members::rule_role))
            .get_result(self.connection)
            .optional()?;
        Ok(found.map(|(role, given)| RuledRole { role, given }))
    }
}
