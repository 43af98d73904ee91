//! Form of the merge rules of an organization or a space. `forms.js` builds the list of rules from the fields.

use std::collections::{BTreeSet, HashMap};

use maud::{Markup, html};
use quire_domain::Role;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::merge_rules::{MergeRule, MergeRules};

use crate::workspace::forms::{ApiForm, PersonOfRule, Select};

/// Rules without parameters.
const TICKS: [(&str, MergeRule); 8] = [
    ("A review", MergeRule::RequireAtLeastOneReview),
    ("An approval", MergeRule::RequireAtLeastOneApprovedReview),
    ("No reviewer requests changes", MergeRule::RequireAllReviewsApproved),
    ("No open comments", MergeRule::RequireResolvedComments),
    ("Up to date with the space", MergeRule::RequireUpToDateChangeRequest),
    ("A subject", MergeRule::RequireChangeRequestSubject),
    ("A description", MergeRule::RequireChangeRequestDescription),
    ("Merged by its creator", MergeRule::RequireAuthorToMerge),
];
/// Numbers of approvals that the form offers.
const APPROVALS: [u8; 6] = [1, 2, 3, 4, 5, 10];
/// Roles that the form offers for bypassing the rules. Lower roles cannot merge.
const BYPASSING: [(&str, Option<Role>); 4] = [
    ("No role", None),
    ("Review", Some(Role::Review)),
    ("Create", Some(Role::Create)),
    ("Admin", Some(Role::Admin)),
];

/// Form of the merge rules.
pub(super) struct RulesForm<'a> {
    /// Present rules.
    pub(super) rules: &'a MergeRules,
    /// Rules that a space can inherit from its organization. `None` for an organization.
    pub(super) inherited: Option<&'a MergeRules>,
    /// Names of the users in the rules.
    pub(super) names: &'a HashMap<UserId, String>,
    pub(super) organization: OrganizationId,
    /// API path of the organization or space.
    pub(super) url: &'a str,
}

impl RulesForm<'_> {
    pub(super) fn write(&self) -> Markup {
        let mut kinds = vec![("none", "No rules: the role decides"), ("rules", "The rules below")];
        let inherited = self.inherited.map(|rules| match rules.rules().len() {
            0 => "The organization has no rules.".to_owned(),
            1 => "The organization has 1 rule.".to_owned(),
            count => format!("The organization has {count} rules."),
        });
        if inherited.is_some() {
            kinds.insert(0, ("inherit", "As in the organization"));
        }
        let value = match self.rules {
            MergeRules::None => "none",
            MergeRules::Inherit => "inherit",
            MergeRules::Rules { .. } => "rules",
        };
        html! {
            h2 id="workspace:merge-rules" { "Merge rules" }
            p.muted { "What a change request needs before it can be merged. These rules do not apply to pages that are edited directly." }
            (ApiForm { method: "PATCH", url: self.url, submit: "Save rules", ..ApiForm::default() }.with(html! {
                (Select { name: "mergeRules.type", label: "Rules for merging", options: &kinds, value, hint: inherited.as_deref() })
                (self.approvals())
                fieldset.ticks {
                    legend { "A change request needs" }
                    @for (label, rule) in &TICKS {
                        label.tick {
                            input type="checkbox" data-rule=(name_of(rule)) checked[self.rules.rules().contains(rule)];
                            span { (label) }
                        }
                    }
                }
                (self.people("Approvals of all of", "Add to those who must all approve", |rule| matches!(rule, MergeRule::RequireSpecificReviewers { .. }), "require_specific_reviewers"))
                (self.people("An approval of one of", "Add to those of whom one must approve", |rule| matches!(rule, MergeRule::RequireOneOfSpecificReviewers { .. }), "require_one_of_specific_reviewers"))
                (self.bypass())
                (self.people("May merge without meeting the rules", "Add to those who may bypass the rules", |rule| matches!(rule, MergeRule::AllowBypass { .. }), "allow_bypass"))
            }))
        }
    }

    fn approvals(&self) -> Markup {
        let count = self.rules.rules().iter().find_map(|rule| match rule {
            MergeRule::RequireApprovals { count } => Some(*count),
            _ => None,
        });
        // Keeps a number that was set through the API.
        let offered: BTreeSet<u8> = APPROVALS.into_iter().chain(count).collect();
        html! {
            div.field {
                label for="workspace:approvals" { "Approvals" }
                select id="workspace:approvals" data-rule="require_approvals" data-key="count" data-as="number" {
                    option value="" { "No number" }
                    @for offered in &offered {
                        option value=(offered) selected[count == Some(*offered)] { (offered) }
                    }
                }
            }
        }
    }

    /// Writes the users in a rule, and a field for another one.
    fn people(&self, legend: &str, add: &str, is_it: fn(&MergeRule) -> bool, rule: &str) -> Markup {
        let users = self.rules.rules().iter().find(|rule| is_it(rule)).map_or(&[][..], MergeRule::users);
        html! {
            fieldset.ticks {
                legend { (legend) }
                @for user in users {
                    label.tick {
                        input type="checkbox" value=(user) data-rule=(rule) data-key="users" checked;
                        span { (self.names.get(user).map_or("A deleted user", String::as_str)) }
                    }
                }
                (PersonOfRule { rule, label: add, organization: self.organization })
            }
        }
    }

    fn bypass(&self) -> Markup {
        let role = self.rules.rules().iter().find_map(|rule| match rule {
            MergeRule::AllowBypass { role, .. } => *role,
            _ => None,
        });
        // Keeps a role that was set through the API.
        let other = role.filter(|role| BYPASSING.iter().all(|(_, offered)| *offered != Some(*role)));
        html! {
            div.field {
                label for="workspace:bypass" { "Role that may bypass the rules" }
                select id="workspace:bypass" data-rule="allow_bypass" data-key="role" aria-describedby="workspace:bypass-hint" {
                    @for (label, offered) in BYPASSING {
                        option value=(offered.map_or("", Role::as_str)) selected[offered == role] { (label) }
                    }
                    @if let Some(other) = other { option value=(other.as_str()) selected { (other.as_str()) } }
                }
                p.hint id="workspace:bypass-hint" { "A bypass is asked for each time and recorded in the audit log." }
            }
        }
    }
}

/// Returns the name of a rule without parameters.
fn name_of(rule: &MergeRule) -> &'static str {
    match rule {
        MergeRule::RequireAtLeastOneReview => "require_at_least_one_review",
        MergeRule::RequireAtLeastOneApprovedReview => "require_at_least_one_approved_review",
        MergeRule::RequireAllReviewsApproved => "require_all_reviews_approved",
        MergeRule::RequireResolvedComments => "require_resolved_comments",
        MergeRule::RequireUpToDateChangeRequest => "require_up_to_date_change_request",
        MergeRule::RequireChangeRequestSubject => "require_change_request_subject",
        MergeRule::RequireChangeRequestDescription => "require_change_request_description",
        MergeRule::RequireAuthorToMerge => "require_author_to_merge",
        MergeRule::RequireApprovals { .. }
        | MergeRule::RequireSpecificReviewers { .. }
        | MergeRule::RequireOneOfSpecificReviewers { .. }
        | MergeRule::AllowBypass { .. } => "",
    }
}
