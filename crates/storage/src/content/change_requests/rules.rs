//! Rules for merging: what a change request lacks, and who may bypass them.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::change_requests::Event;
use quire_domain::error::{FieldError, Reason, Refusal};
use quire_domain::merge_rules::{LatestReview, MergeBlock, MergeFacts, MergeRules, WantedMerge};

use crate::content::change_requests::{ChangeRequestRecord, InSpace};
use crate::lookup::Authorized;
use crate::transaction::Reader;
use crate::{Error, Result};

sql_files! {
    FindMergeFacts(SqlUuid, SqlUuid) -> (Nullable<Jsonb>, (Nullable<SqlUuid>, Text, Bool, Integer, Bool))
        = "merge_facts.sql";
    ListLatestReviews(SqlUuid, SqlUuid) -> (SqlUuid, Text, Bool) = "latest_reviews.sql";
}

/// Rules for merging that a change request does not meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeCheck {
    /// The rules that are not met.
    pub blocks: Vec<MergeBlock>,
    /// The actor may merge all the same.
    pub may_bypass: bool,
}

impl Reader<'_> {
    /// Returns the rules that a change request does not meet; `None` if the role of the actor or the status does not
    /// allow a merge. Three statements at most, one without rules.
    ///
    /// # Errors
    /// When the stored rules can't be read.
    pub fn merge_check(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
    ) -> Result<Option<MergeCheck>> {
        let is_possible = change_request.may(Event::Merge.required_action())
            && change_request.item.status.apply(Event::Merge).is_ok();
        is_possible.then(|| self.check_merge_rules(change_request)).transpose()
    }

    /// Returns whether a merge bypasses rules that are not met.
    ///
    /// # Errors
    /// 409 if rules are not met, unless the actor asks for a bypass and the rules allow it.
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
        let merge = WantedMerge { facts: &facts, reviews: &reviews, merger };
        let name = |user| names.get(&user).cloned().unwrap_or_else(|| "a deleted user".to_owned());
        Ok(MergeCheck {
            blocks: rules.unmet(merge, name),
            may_bypass: rules.allow_bypass(merger, change_request.role()),
        })
    }
}
