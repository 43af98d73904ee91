//! Merge rules of organizations and spaces.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::merge_rules::MergeRules;
use serde_json::Value;

use crate::schema::{organization_members, users};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Returns the stored form of rules; `None` if they are the default of the record.
///
/// # Errors
/// Rules that cannot be serialized.
pub(crate) fn stored_rules(rules: &MergeRules, default: &MergeRules) -> Result<Option<Value>> {
    let value = (rules != default).then(|| serde_json::to_value(rules)).transpose();
    value.map_err(|error| Error::Internal("rules for merging can't be written", error.into()))
}

impl Reader<'_> {
    /// Returns the names of users. Takes one statement, or none without users.
    pub fn names_of(&mut self, ids: &BTreeSet<UserId>) -> Result<HashMap<UserId, String>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let names: Vec<(UserId, String)> = users::table
            .filter(users::id.eq_any(ids))
            .select((users::id, users::display_name))
            .load(self.connection)?;
        Ok(names.into_iter().collect())
    }

    /// Checks that the users in rules are members of the organization. Takes one statement, or none without users.
    ///
    /// # Errors
    /// 400 with the name of the first user who is not.
    pub(crate) fn require_named_members(
        &mut self,
        organization: OrganizationId,
        rules: Option<&MergeRules>,
    ) -> Result<()> {
        let Some(rules) = rules else { return Ok(()) };
        let named: BTreeSet<UserId> = rules.named_users();
        if named.is_empty() {
            return Ok(());
        }
        let found: Vec<UserId> = organization_members::table
            .filter(organization_members::organization_id.eq(organization))
            .filter(organization_members::user_id.eq_any(&named))
            .select(organization_members::user_id)
            .load(self.connection)?;
        let found: BTreeSet<UserId> = found.into_iter().collect();
        for (index, rule) in rules.rules().iter().enumerate() {
            if let Some(at) = rule.users().iter().position(|user| !found.contains(user)) {
                let field = format!("mergeRules.rules[{index}].users[{at}]");
                return Err(Refusal::new(Reason::InvalidBody)
                    .at(field, "is not a member of the organization")
                    .into());
            }
        }
        Ok(())
    }
}
