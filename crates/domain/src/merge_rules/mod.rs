//! Rules for merging change requests.

mod check;

use std::collections::BTreeSet;
use std::mem::discriminant;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use validator::ValidationError;

pub use self::check::{LatestReview, MergeBlock, MergeBlockCode, MergeFacts, RequestedMerge};
use crate::bounds::{MERGE_APPROVALS_MAX, MERGE_RULES_MAX, REVIEWERS_MAX};
use crate::error::{KEY, path};
use crate::ids::UserId;
use crate::role::Role;
use crate::{patch, text_checks};

/// Rules for merging change requests.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum MergeRules {
    /// No rules: the role of the caller decides alone.
    #[default]
    None,
    /// Rules of the organization. Only for spaces.
    Inherit,
    /// Rules that must all be met.
    Rules {
        /// Rules, each of a kind of its own.
        #[schema(min_items = 1, max_items = 20)]
        rules: Vec<MergeRule>,
    },
}

/// Rule for merging change requests. Of each reviewer, the newest review counts. An approval is valid until the content
/// of the change request is edited; updates from the space keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum MergeRule {
    /// A number of users must have approved.
    RequireApprovals {
        /// Least number of approvals.
        #[schema(minimum = 1, maximum = 20)]
        count: u8,
    },
    /// A user must have reviewed.
    RequireAtLeastOneReview,
    /// A user must have approved.
    RequireAtLeastOneApprovedReview,
    /// No reviewer requests changes.
    RequireAllReviewsApproved,
    /// Each of these users must have approved.
    RequireSpecificReviewers {
        /// Ids of members of the organization.
        #[schema(min_items = 1, max_items = 50)]
        users: Vec<UserId>,
    },
    /// One of these users must have approved.
    RequireOneOfSpecificReviewers {
        /// Ids of members of the organization.
        #[schema(min_items = 1, max_items = 50)]
        users: Vec<UserId>,
    },
    /// No comment is open.
    RequireResolvedComments,
    /// The change request contains all changes of the space.
    RequireUpToDateChangeRequest,
    /// The change request has a subject other than the default one.
    RequireChangeRequestSubject,
    /// The change request has a description.
    RequireChangeRequestDescription,
    /// Only the creator of the change request merges it.
    RequireAuthorToMerge,
    /// Users who may merge although other rules are not met. At least one user, or a role.
    AllowBypass {
        /// Ids of members of the organization.
        #[schema(max_items = 50, required = false)]
        users: Vec<UserId>,
        /// Least role on the space of other users.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        role: Option<Role>,
    },
}

/// By hand, because serde's derived code for tagged enums loses the path of an error.
impl<'de> Deserialize<'de> for MergeRules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Kind {
            None,
            Inherit,
            Rules,
        }
        #[derive(Deserialize)]
        struct Keys {
            #[serde(rename = "type")]
            kind: Kind,
            #[serde(default, deserialize_with = "patch::present")]
            rules: Option<Vec<MergeRule>>,
        }
        let Keys { kind, rules } = keys(deserializer)?;
        match (kind, rules) {
            (Kind::None, _) => Ok(Self::None),
            (Kind::Inherit, _) => Ok(Self::Inherit),
            (Kind::Rules, Some(rules)) => Ok(Self::Rules { rules }),
            (Kind::Rules, None) => Err(D::Error::custom(path::with_path("rules", "is required"))),
        }
    }
}

/// By hand, for the same reason as [`MergeRules`].
impl<'de> Deserialize<'de> for MergeRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Keys {
            rule: Kind,
            #[serde(default, deserialize_with = "patch::present")]
            count: Option<u8>,
            #[serde(default, deserialize_with = "patch::present")]
            users: Option<Vec<UserId>>,
            #[serde(default, deserialize_with = "patch::present")]
            role: Option<Role>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Kind {
            RequireApprovals,
            RequireAtLeastOneReview,
            RequireAtLeastOneApprovedReview,
            RequireAllReviewsApproved,
            RequireSpecificReviewers,
            RequireOneOfSpecificReviewers,
            RequireResolvedComments,
            RequireUpToDateChangeRequest,
            RequireChangeRequestSubject,
            RequireChangeRequestDescription,
            RequireAuthorToMerge,
            AllowBypass,
        }
        let missing = |key| D::Error::custom(path::with_path(key, "is required"));
        let Keys { rule, count, users, role } = keys(deserializer)?;
        Ok(match rule {
            Kind::RequireApprovals => {
                Self::RequireApprovals { count: count.ok_or_else(|| missing("count"))? }
            }
            Kind::RequireAtLeastOneReview => Self::RequireAtLeastOneReview,
            Kind::RequireAtLeastOneApprovedReview => Self::RequireAtLeastOneApprovedReview,
            Kind::RequireAllReviewsApproved => Self::RequireAllReviewsApproved,
            Kind::RequireSpecificReviewers => {
                Self::RequireSpecificReviewers { users: users.ok_or_else(|| missing("users"))? }
            }
            Kind::RequireOneOfSpecificReviewers => {
                Self::RequireOneOfSpecificReviewers { users: users.ok_or_else(|| missing("users"))? }
            }
            Kind::RequireResolvedComments => Self::RequireResolvedComments,
            Kind::RequireUpToDateChangeRequest => Self::RequireUpToDateChangeRequest,
            Kind::RequireChangeRequestSubject => Self::RequireChangeRequestSubject,
            Kind::RequireChangeRequestDescription => Self::RequireChangeRequestDescription,
            Kind::RequireAuthorToMerge => Self::RequireAuthorToMerge,
            Kind::AllowBypass => Self::AllowBypass { users: users.unwrap_or_default(), role },
        })
    }
}

/// Reads the keys of an object, with the path of a wrong one.
fn keys<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let object = Value::Object(Map::deserialize(deserializer)?);
    serde_path_to_error::deserialize(object)
        .map_err(|error| path::with_path(&error.path().to_string(), &error.inner().to_string()))
        .map_err(D::Error::custom)
}

impl MergeRules {
    /// Returns the rules; empty if they are inherited.
    #[must_use]
    pub fn rules(&self) -> &[MergeRule] {
        match self {
            Self::None | Self::Inherit => &[],
            Self::Rules { rules } => rules,
        }
    }

    /// Returns the users that the rules name.
    #[must_use]
    pub fn named_users(&self) -> BTreeSet<UserId> {
        self.rules().iter().flat_map(MergeRule::users).copied().collect()
    }

    /// Returns the users whose approval the rules ask for.
    #[must_use]
    pub fn named_reviewers(&self) -> BTreeSet<UserId> {
        let rules = self.rules().iter().filter(|rule| !matches!(rule, MergeRule::AllowBypass { .. }));
        rules.flat_map(MergeRule::users).copied().collect()
    }
}

impl MergeRule {
    /// Returns the users that the rule names.
    #[must_use]
    pub fn users(&self) -> &[UserId] {
        match self {
            Self::RequireSpecificReviewers { users }
            | Self::RequireOneOfSpecificReviewers { users }
            | Self::AllowBypass { users, .. } => users,
            _ => &[],
        }
    }
}

/// Checks the rules of a space.
///
/// # Errors
/// A [`ValidationError`] about the first rule that breaks its bounds, with its path as `KEY`.
pub fn check_of_space(rules: &MergeRules) -> Result<(), ValidationError> {
    check_rules(rules.rules(), matches!(rules, MergeRules::Rules { .. }))
}

/// Checks the rules of an organization, which has none to inherit.
///
/// # Errors
/// The errors of [`check_of_space`].
pub fn check_of_organization(rules: &MergeRules) -> Result<(), ValidationError> {
    match rules {
        MergeRules::Inherit => Err(at("type", "must be `none` or `rules` for an organization")),
        rules => check_of_space(rules),
    }
}

fn check_rules(rules: &[MergeRule], are_given: bool) -> Result<(), ValidationError> {
    if are_given && !(1..=MERGE_RULES_MAX).contains(&rules.len()) {
        return Err(at("rules", format!("must have 1 to {MERGE_RULES_MAX} items, has {}", rules.len())));
    }
    let mut kinds = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        if kinds.contains(&discriminant(rule)) {
            return Err(at(format!("rules[{index}].rule"), "must not be repeated"));
        }
        kinds.push(discriminant(rule));
        check_rule(rule).map_err(|(key, message)| at(format!("rules[{index}]{key}"), message))?;
    }
    Ok(())
}

fn check_rule(rule: &MergeRule) -> Result<(), (&'static str, String)> {
    let count = u64::try_from(rule.users().len()).unwrap_or(u64::MAX);
    match rule {
        MergeRule::RequireApprovals { count } if !(1..=MERGE_APPROVALS_MAX).contains(count) => {
            Err((".count", format!("must be 1 to {MERGE_APPROVALS_MAX}, is {count}")))
        }
        MergeRule::RequireSpecificReviewers { .. } | MergeRule::RequireOneOfSpecificReviewers { .. }
            if !(1..=REVIEWERS_MAX).contains(&count) =>
        {
            Err((".users", format!("must have 1 to {REVIEWERS_MAX} items, has {count}")))
        }
        MergeRule::AllowBypass { role: None, .. } if count == 0 => {
            Err(("", "must have at least one of `users` and a `role`".to_owned()))
        }
        MergeRule::AllowBypass { .. } if count > REVIEWERS_MAX => {
            Err((".users", format!("must have 0 to {REVIEWERS_MAX} items, has {count}")))
        }
        _ => Ok(()),
    }
}

fn at(key: impl Into<String>, message: impl Into<String>) -> ValidationError {
    let mut error = text_checks::error("merge-rules", message);
    error.add_param(KEY.into(), &key.into());
    error
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::path::split_path;

    const ANN: &str = "0197f1d0-0000-7000-8000-000000000001";

    fn parsed(rules: Value) -> Result<MergeRules, String> {
        let rules = json!({"type": "rules", "rules": rules});
        serde_json::from_value(rules).map_err(|error| error.to_string())
    }

    fn refused(rules: Value) -> (String, String) {
        let error = check_of_space(&parsed(rules).unwrap()).unwrap_err();
        let key = error.params[KEY].as_str().unwrap().to_owned();
        (key, error.message.unwrap().into_owned())
    }

    #[test]
    fn rules_keep_their_wire_form() {
        let rules = json!({"type": "rules", "rules": [
            {"rule": "require_approvals", "count": 2},
            {"rule": "require_specific_reviewers", "users": [ANN]},
            {"rule": "require_up_to_date_change_request"},
            {"rule": "allow_bypass", "users": [], "role": "admin"},
        ]});
        let read: MergeRules = serde_json::from_value(rules.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), rules);
        assert_eq!(check_of_organization(&read), Ok(()));
        assert_eq!(read.named_users().len(), 1);
        for (text, rules) in [("none", MergeRules::None), ("inherit", MergeRules::Inherit)] {
            assert_eq!(serde_json::to_value(&rules).unwrap(), json!({"type": text}));
            assert_eq!(serde_json::from_value::<MergeRules>(json!({"type": text})).unwrap(), rules);
        }
    }

    #[test]
    fn a_wrong_rule_is_named_with_its_path() {
        for (rules, path) in [
            (json!([{"rule": "require_approvals", "count": 1}, {"rule": "x"}]), "rules[1].rule"),
            (json!([{"rule": "require_approvals"}]), "rules[0].count"),
            (json!([{"rule": "require_specific_reviewers", "users": ["x"]}]), "rules[0].users[0]"),
            (json!([{"rule": "allow_bypass", "role": null}]), "rules[0].role"),
            (json!([[]]), "rules[0]"),
        ] {
            assert_eq!(split_path(&parsed(rules).unwrap_err()).0, path);
        }
        let error = serde_json::from_value::<MergeRules>(json!({"type": "rules"})).unwrap_err().to_string();
        assert_eq!(split_path(&error), ("rules", "is required"));
    }

    #[test]
    fn bounds_of_rules_are_checked() {
        let approvals = |count: u8| json!({"rule": "require_approvals", "count": count});
        assert_eq!(refused(json!([])), ("rules".to_owned(), "must have 1 to 20 items, has 0".to_owned()));
        assert_eq!(
            refused(json!([approvals(0)])),
            ("rules[0].count".to_owned(), "must be 1 to 20, is 0".to_owned())
        );
        assert_eq!(refused(json!([approvals(1), approvals(2)])).0, "rules[1].rule");
        assert_eq!(refused(json!([{"rule": "require_specific_reviewers", "users": []}])).0, "rules[0].users");
        assert_eq!(refused(json!([{"rule": "allow_bypass", "users": []}])).0, "rules[0]");
        let error = check_of_organization(&MergeRules::Inherit).unwrap_err();
        assert_eq!(error.params[KEY], "type");
    }
}
