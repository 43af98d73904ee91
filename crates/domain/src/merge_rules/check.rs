//! Check of a change request against the rules for merging.

#[cfg(feature = "postgres")]
use diesel::prelude::Queryable;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{MergeRule, MergeRules};
use crate::change_requests::subject::DEFAULT_SUBJECT;
use crate::ids::UserId;
use crate::reviews::ReviewStatus;
use crate::role::Role;

/// State of a change request that rules are checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "postgres", derive(Queryable))]
pub struct MergeFacts {
    /// User who created the change request. `None` if the account was deleted.
    pub author: Option<UserId>,
    /// Subject.
    pub subject: String,
    /// `true` if there is a description.
    pub has_description: bool,
    /// Number of open comments.
    #[cfg_attr(feature = "postgres", diesel(deserialize_as = i32))]
    pub open_comments: u64,
    /// `true` if the space has changes that the change request does not contain.
    pub is_outdated: bool,
}

/// Merge that is checked against rules.
#[derive(Clone, Copy, Debug)]
pub struct RequestedMerge<'f> {
    /// State of the change request.
    pub facts: &'f MergeFacts,
    /// Newest review of each reviewer.
    pub reviews: &'f [LatestReview],
    /// User who wants to merge.
    pub merger: UserId,
}

/// Newest review of a reviewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "postgres", derive(Queryable))]
pub struct LatestReview {
    /// Reviewer.
    pub reviewer: UserId,
    /// Verdict.
    pub status: ReviewStatus,
    /// `true` if the content was not edited since. An update from the space is no edit.
    pub is_current: bool,
}

/// Rule for merging that a change request does not meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergeBlock {
    /// Rule that is not met.
    pub code: MergeBlockCode,
    /// Sentence for people that says what is missing.
    pub message: String,
}

/// Rule that can keep a change request from being merged, named as in the merge rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MergeBlockCode {
    /// Too few users have approved.
    RequireApprovals,
    /// No user has reviewed.
    RequireAtLeastOneReview,
    /// No user has approved.
    RequireAtLeastOneApprovedReview,
    /// A reviewer requests changes.
    RequireAllReviewsApproved,
    /// A named user has not approved.
    RequireSpecificReviewers,
    /// None of the named users has approved.
    RequireOneOfSpecificReviewers,
    /// Comments are open.
    RequireResolvedComments,
    /// The change request lacks changes of the space.
    RequireUpToDateChangeRequest,
    /// The change request has no subject.
    RequireChangeRequestSubject,
    /// The change request has no description.
    RequireChangeRequestDescription,
    /// The caller is not the creator of the change request.
    RequireAuthorToMerge,
}

impl MergeBlockCode {
    /// Returns the wire form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RequireApprovals => "require_approvals",
            Self::RequireAtLeastOneReview => "require_at_least_one_review",
            Self::RequireAtLeastOneApprovedReview => "require_at_least_one_approved_review",
            Self::RequireAllReviewsApproved => "require_all_reviews_approved",
            Self::RequireSpecificReviewers => "require_specific_reviewers",
            Self::RequireOneOfSpecificReviewers => "require_one_of_specific_reviewers",
            Self::RequireResolvedComments => "require_resolved_comments",
            Self::RequireUpToDateChangeRequest => "require_up_to_date_change_request",
            Self::RequireChangeRequestSubject => "require_change_request_subject",
            Self::RequireChangeRequestDescription => "require_change_request_description",
            Self::RequireAuthorToMerge => "require_author_to_merge",
        }
    }
}

impl MergeFacts {
    fn has_subject(&self) -> bool {
        self.subject != DEFAULT_SUBJECT && !self.subject.trim().is_empty()
    }
}

impl RequestedMerge<'_> {
    fn has_approval_of(&self, user: UserId) -> bool {
        self.reviews.iter().any(|review| review.reviewer == user && review.approves())
    }

    fn approvals(&self) -> usize {
        self.reviews.iter().filter(|review| review.approves()).count()
    }
}

impl LatestReview {
    fn approves(&self) -> bool {
        self.is_current && self.status == ReviewStatus::Approved
    }
}

impl MergeRules {
    /// Returns the rules that a change request does not meet, in the order of the rules. `name` returns the name of a
    /// user.
    #[must_use]
    pub fn unmet(&self, merge: RequestedMerge<'_>, name: impl Fn(UserId) -> String) -> Vec<MergeBlock> {
        self.rules().iter().filter_map(|rule| rule.unmet(merge, &name)).collect()
    }

    /// Returns whether a user with this role on the space may merge although rules are not met.
    #[must_use]
    pub fn allow_bypass(&self, user: UserId, role: Option<Role>) -> bool {
        self.rules().iter().any(|rule| match rule {
            MergeRule::AllowBypass { users, role: least } => {
                users.contains(&user) || least.is_some_and(|least| role >= Some(least))
            }
            _ => false,
        })
    }
}

impl MergeRule {
    fn unmet(&self, merge: RequestedMerge<'_>, name: &impl Fn(UserId) -> String) -> Option<MergeBlock> {
        use MergeBlockCode as Code;
        let RequestedMerge { facts, reviews, merger } = merge;
        let named = |users: &[UserId], conjunction: &str| {
            let mut names: Vec<String> = users.iter().map(|user| name(*user)).collect();
            match names.pop() {
                Some(last) if !names.is_empty() => format!("{} {conjunction} {last}", names.join(", ")),
                last => last.unwrap_or_default(),
            }
        };
        let (code, message) = match self {
            Self::RequireApprovals { count } => {
                let (needed, approvals) = (usize::from(*count), merge.approvals());
                let missing = needed.checked_sub(approvals).filter(|missing| *missing > 0)?;
                let message = match needed {
                    1 => "An approval is missing.".to_owned(),
                    _ => format!(
                        "{missing} of {needed} approvals {} missing.",
                        if missing == 1 { "is" } else { "are" }
                    ),
                };
                (Code::RequireApprovals, message)
            }
            Self::RequireAtLeastOneReview => {
                let is_met = reviews.iter().any(|review| review.is_current);
                (!is_met).then(|| (Code::RequireAtLeastOneReview, "A review is missing.".to_owned()))?
            }
            Self::RequireAtLeastOneApprovedReview => (merge.approvals() == 0)
                .then(|| (Code::RequireAtLeastOneApprovedReview, "An approval is missing.".to_owned()))?,
            Self::RequireAllReviewsApproved => {
                let refusing = |review: &&LatestReview| review.status == ReviewStatus::ChangesRequested;
                let message = match reviews.iter().filter(refusing).count() {
                    0 => return None,
                    1 => "1 reviewer requests changes.".to_owned(),
                    count => format!("{count} reviewers request changes."),
                };
                (Code::RequireAllReviewsApproved, message)
            }
            Self::RequireSpecificReviewers { users } => {
                let missing: Vec<UserId> =
                    users.iter().copied().filter(|user| !merge.has_approval_of(*user)).collect();
                let message = format!("The approval of {} is missing.", named(&missing, "and"));
                (!missing.is_empty()).then_some((Code::RequireSpecificReviewers, message))?
            }
            Self::RequireOneOfSpecificReviewers { users } => {
                let is_met = users.iter().any(|user| merge.has_approval_of(*user));
                let message = format!("The approval of {} is missing.", named(users, "or"));
                (!is_met).then_some((Code::RequireOneOfSpecificReviewers, message))?
            }
            Self::RequireResolvedComments => {
                let message = match facts.open_comments {
                    0 => return None,
                    1 => "1 comment is open.".to_owned(),
                    count => format!("{count} comments are open."),
                };
                (Code::RequireResolvedComments, message)
            }
            Self::RequireUpToDateChangeRequest => {
                let message = "The newest changes of the space are missing.".to_owned();
                facts.is_outdated.then_some((Code::RequireUpToDateChangeRequest, message))?
            }
            Self::RequireChangeRequestSubject => (!facts.has_subject())
                .then(|| (Code::RequireChangeRequestSubject, "A subject is missing.".to_owned()))?,
            Self::RequireChangeRequestDescription => {
                let message = "A description is missing.".to_owned();
                (!facts.has_description).then_some((Code::RequireChangeRequestDescription, message))?
            }
            Self::RequireAuthorToMerge => {
                let is_met = facts.author == Some(merger);
                let message = "Only its creator may merge the change request.".to_owned();
                (!is_met).then_some((Code::RequireAuthorToMerge, message))?
            }
            Self::AllowBypass { .. } => return None,
        };
        Some(MergeBlock { code, message })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn user(number: u128) -> UserId {
        UserId::from_uuid(Uuid::from_u128(number))
    }

    fn review(reviewer: u128, status: ReviewStatus, is_current: bool) -> LatestReview {
        LatestReview { reviewer: user(reviewer), status, is_current }
    }

    fn facts() -> MergeFacts {
        MergeFacts {
            author: Some(user(1)),
            subject: "Tides".to_owned(),
            has_description: true,
            open_comments: 0,
            is_outdated: false,
        }
    }

    /// Returns what the change request still lacks when a user other than its author merges it with these reviews.
    fn reviewed(rule: MergeRule, reviews: &[LatestReview]) -> Option<String> {
        message(rule, RequestedMerge { facts: &facts(), reviews, merger: user(2) })
    }

    fn message(rule: MergeRule, merge: RequestedMerge<'_>) -> Option<String> {
        let kind = serde_json::to_value(&rule).unwrap();
        let rules = MergeRules::Rules { rules: vec![rule] };
        let mut blocks = rules.unmet(merge, |user| format!("user {}", user.as_uuid().as_u128()));
        blocks.pop().map(|MergeBlock { code, message }| {
            assert_eq!(serde_json::to_value(code).unwrap(), kind["rule"]);
            assert_eq!(code.as_str(), kind["rule"]);
            message
        })
    }

    #[test]
    fn approvals_of_the_current_content_count() {
        use ReviewStatus::{Approved, ChangesRequested};
        let two = || MergeRule::RequireApprovals { count: 2 };
        let all = [review(3, Approved, true), review(4, Approved, true)];
        assert_eq!(reviewed(two(), &all), None);
        let missing = |reviews: &[LatestReview]| reviewed(two(), reviews).unwrap();
        assert_eq!(missing(&[]), "2 of 2 approvals are missing.");
        let one_is_old = [review(3, Approved, true), review(4, Approved, false)];
        assert_eq!(missing(&one_is_old), "1 of 2 approvals is missing.");
        let one_refuses = [review(3, Approved, true), review(4, ChangesRequested, true)];
        assert_eq!(missing(&one_refuses), "1 of 2 approvals is missing.");
        assert_eq!(reviewed(MergeRule::RequireAllReviewsApproved, &one_is_old), None);
        let refused = reviewed(MergeRule::RequireAllReviewsApproved, &one_refuses);
        assert_eq!(refused.unwrap(), "1 reviewer requests changes.");
        let one = reviewed(MergeRule::RequireAtLeastOneApprovedReview, &[]);
        assert_eq!(one.unwrap(), "An approval is missing.");
        assert_eq!(reviewed(MergeRule::RequireAtLeastOneReview, &all), None);
        let review = reviewed(MergeRule::RequireAtLeastOneReview, &[]);
        assert_eq!(review.unwrap(), "A review is missing.");
    }

    #[test]
    fn named_reviewers_are_named_while_they_are_missing() {
        let users = vec![user(3), user(4), user(5)];
        let all = || MergeRule::RequireSpecificReviewers { users: users.clone() };
        let one = || MergeRule::RequireOneOfSpecificReviewers { users: users.clone() };
        let approved = [review(4, ReviewStatus::Approved, true)];
        assert_eq!(reviewed(all(), &approved).unwrap(), "The approval of user 3 and user 5 is missing.");
        assert_eq!(reviewed(one(), &approved), None);
        let none = reviewed(one(), &[]);
        assert_eq!(none.unwrap(), "The approval of user 3, user 4 or user 5 is missing.");
    }

    #[test]
    fn each_state_has_its_rule() {
        let met = facts();
        let unmet = MergeFacts {
            open_comments: 2,
            is_outdated: true,
            subject: DEFAULT_SUBJECT.to_owned(),
            has_description: false,
            ..met.clone()
        };
        let of = |facts, merger| RequestedMerge { facts, reviews: &[], merger: user(merger) };
        for (rule, sentence) in [
            (MergeRule::RequireResolvedComments, "2 comments are open."),
            (MergeRule::RequireUpToDateChangeRequest, "The newest changes of the space are missing."),
            (MergeRule::RequireChangeRequestSubject, "A subject is missing."),
            (MergeRule::RequireChangeRequestDescription, "A description is missing."),
        ] {
            assert_eq!(message(rule.clone(), of(&met, 2)), None);
            assert_eq!(message(rule, of(&unmet, 2)).unwrap(), sentence);
        }
        let author = || MergeRule::RequireAuthorToMerge;
        assert!(message(author(), of(&met, 2)).is_some());
        assert_eq!(message(author(), of(&met, 1)), None);
    }

    #[test]
    fn a_bypass_is_for_named_users_and_for_a_role() {
        let rules = |users, role| MergeRules::Rules { rules: vec![MergeRule::AllowBypass { users, role }] };
        assert!(rules(vec![user(1)], None).allow_bypass(user(1), Some(Role::Review)));
        assert!(!rules(vec![user(1)], None).allow_bypass(user(2), Some(Role::Admin)));
        let create = rules(Vec::new(), Some(Role::Create));
        assert!(create.allow_bypass(user(2), Some(Role::Admin)));
        assert!(create.allow_bypass(user(2), Some(Role::Create)));
        assert!(!create.allow_bypass(user(2), Some(Role::Review)));
        assert!(!create.allow_bypass(user(2), None));
        assert!(!MergeRules::None.allow_bypass(user(1), Some(Role::Admin)));
    }
}
