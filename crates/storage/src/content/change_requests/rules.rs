//! Merge rules: checks of a change request, and the right to bypass them.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::change_requests::Event;
use quire_domain::error::{FieldError, Reason, Refusal};
use quire_domain::merge_rules::{LatestReview, MergeBlock, MergeFacts, MergeRules, RequestedMerge};

use crate::content::change_requests::{ChangeRequestRecord, InSpace};
use crate::lookup::Authorized;
use crate::transaction::Reader;
use crate::{Error, Result};

sql_files! {
    FindMergeFacts(SqlUuid, SqlUuid) -> (Nullable<Jsonb>, (Nullable<SqlUuid>, Text, Bool, Integer, Bool))
        = "merge_facts.sql";
    ListLatestReviews(SqlUuid, SqlUuid) -> (SqlUuid, Text, Bool) = "latest_reviews.sql";
}

/// Merge rules that a change request does not meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeCheck {
    /// Unmet rules.
    pub blocks: Vec<MergeBlock>,
    /// `true` if the actor may merge despite unmet rules.
    pub may_bypass: bool,
}

impl Reader<'_> {
    /// Returns the rules that a change request does not meet; `None` if the actor's role or the status does not permit
    /// a merge. Takes at most three statements, and one if there are no rules.
    ///
    /// # Errors
    /// Stored rules that cannot be read.
    pub fn merge_check(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
    ) -> Result<Option<MergeCheck>> {
        let is_possible = change_request.may(Event::Merge.required_action())
            && change_request.item.status.apply(Event::Merge).is_ok();
        is_possible.then(|| self.check_merge_rules(change_request)).transpose()
    }

    /// Returns whether a merge bypasses unmet rules.
    ///
    /// # Errors
    /// 409 if rules are not met, unless the actor requests a bypass and the rules permit it.
    pub(super) fn is_bypassing(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        is_bypass_wanted: bool,
    ) -> Result<bool> {
        let MergeCheck { blocks, may_bypass } = self.check_merge_rules(change_request)?;
        if blocks.is_empty() || (is_bypass_wanted && may_bypass) {
            return Ok(!blocks.is_empty());
        }
        let sentences: Vec<&str> = blocks.iter().map(|block| block.message.as_str()).collect();
        let refused = if is_bypass_wanted { " The rules do not allow you to bypass them." } else { "" };
        let message = format!("{} {}{refused}", Reason::MergeBlocked.message(), sentences.join(" "));
        let details = blocks.iter().map(|block| FieldError {
            field: format!("mergeRules.{}", block.code.as_str()),
            message: block.message.clone(),
        });
        Err(Refusal::new(Reason::MergeBlocked).with_message(message).with_details(details.collect()).into())
    }

    fn check_merge_rules(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
    ) -> Result<MergeCheck> {
        let (space, id) = (change_request.space.id, change_request.item.id);
        let found: Option<(MergeRules, MergeFacts)> =
            FindMergeFacts::bind((space, id)).get_result(self.connection).optional()?;
        let (rules, facts) = found.ok_or(Error::NotFound)?;
        if rules.rules().is_empty() {
            return Ok(MergeCheck::default());
        }
        let reviews: Vec<LatestReview> = ListLatestReviews::bind((space, id)).load(self.connection)?;
        let names = self.names_of(&rules.named_reviewers())?;
        let merger = change_request.actor().user;
        let merge = RequestedMerge { facts: &facts, reviews: &reviews, merger };
        let name = |user| names.get(&user).cloned().unwrap_or_else(|| "a deleted user".to_owned());
        Ok(MergeCheck {
            blocks: rules.unmet(merge, name),
            may_bypass: rules.allow_bypass(merger, change_request.role()),
        })
    }
}
