//! Merge readiness of a change request, and its reviewers.

use std::collections::HashSet;

use maud::{Markup, html};
use quire_domain::change_requests::Status;
use quire_domain::reviews::ReviewStatus;
use quire_storage::content::change_requests::{ChangeRequestRecord, MergeCheck};
use quire_storage::content::reviews::{ReviewerRecord, ShownReview, UserOrTeam};

use crate::workspace::content::{Content, is_active};
use crate::workspace::shell::{avatar, counted, face, name_of};

/// Writes the missing conditions for a merge.
pub(super) fn readiness(
    content: &Content,
    change: &ChangeRequestRecord,
    conflicts: u64,
    reviews: &[ShownReview],
    rules: Option<&MergeCheck>,
) -> Markup {
    let frame = &content.frame;
    let check = |is_met: bool, words: &str, link: Option<&str>| {
        let icon =
            if is_met { frame.icon("circle-check", "merged") } else { frame.icon("triangle-alert", "open") };
        html! { li { (icon) (words) @if let Some(href) = link { a.end href=(href) { "Show" span.hidden-text { ": " (words) } } } } }
    };
    let mut seen = HashSet::new();
    // Only the latest review of each person counts.
    let latest: Vec<&ShownReview> =
        reviews.iter().filter(|shown| seen.insert(shown.review.reviewer.id())).collect();
    let with = |status: ReviewStatus| {
        let count = latest.iter().filter(|shown| shown.review.status == status).count();
        u64::try_from(count).unwrap_or(u64::MAX)
    };
    let (approved, refused) = (with(ReviewStatus::Approved), with(ReviewStatus::ChangesRequested));
    let open = u64::try_from(change.comments_open).unwrap_or_default();
    let to_conflicts = format!("{}/~conflicts", content.place.root());
    html! {
        h2 { "Ready to merge?" }
        ul.checks data-live="checks" {
            @if change.status == Status::Draft { (check(false, "Not sent for review yet", None)) }
            @match approved {
                0 => (check(false, "No approval yet", None)),
                count => (check(true, &counted(count, "approval", "approvals"), None)),
            }
            @if refused > 0 {
                (check(false, &format!("{} requested changes", counted(refused, "person", "people")), None))
            }
            @match conflicts {
                0 if change.is_outdated(content.space.head) => {
                    (check(true, "No conflicts with the newer changes of the space", None))
                },
                0 => (check(true, "No conflicts with the space", None)),
                count => (check(false, &format!("{} with the space", counted(count, "conflict", "conflicts")), Some(&to_conflicts))),
            }
            @match open {
                0 => (check(true, "No open comments", None)),
                count => (check(false, &counted(count, "open comment", "open comments"), Some("#workspace:comments"))),
            }
            @for block in rules.iter().flat_map(|rules| &rules.blocks) {
                (check(false, &format!("Rule: {}", block.message), None))
            }
            @if !content.rights.merges { (check(false, "Merging needs the role review on this space", None)) }
        }
    }
}

/// Writes the latest review of each person, and the reviewers with an open request.
pub(super) fn reviewers(content: &Content, reviews: &[ShownReview], asked: &[ReviewerRecord]) -> Markup {
    let frame = &content.frame;
    let is_reviewed = |reviewer: &UserOrTeam| match reviewer {
        UserOrTeam::User(user) => reviews.iter().any(|shown| shown.review.reviewer.id() == user.id()),
        UserOrTeam::Team(_) => false,
    };
    let mut seen = HashSet::new();
    html! {
        ul.people {
            // Only the latest review of each person counts.
            @for shown in reviews {
                @let review = &shown.review;
                @if seen.insert(review.reviewer.id()) {
                    @let name = name_of(&review.reviewer);
                    li {
                        (face(&review.reviewer)) (name)
                        span.end {
                            @match review.status {
                                ReviewStatus::Approved => { span.pill.merged { (frame.icon("check", "")) "Approved" } }
                                ReviewStatus::ChangesRequested => { span.pill.bad { (frame.icon("x", "")) "Requested changes" } }
                            }
                        }
                    }
                }
            }
            @for reviewer in asked.iter().filter(|reviewer| !is_reviewed(&reviewer.asked)) {
                @let name = match &reviewer.asked { UserOrTeam::User(user) => name_of(user), UserOrTeam::Team(_) => "A team".to_owned() };
                li { (match &reviewer.asked { UserOrTeam::User(user) => face(user), UserOrTeam::Team(_) => avatar(&name) }) (name) span.end.waiting { span.pill.open { "Waiting" } (withdraw(content, &reviewer.asked, &name)) } }
            }
        }
        @if reviews.is_empty() && asked.is_empty() { p.muted { "No reviews yet." } }
    }
}

/// Returns the button that withdraws a request for a review.
fn withdraw(content: &Content, asked: &UserOrTeam, name: &str) -> Markup {
    let id = match asked {
        UserOrTeam::User(user) => user.id().map(|id| id.to_string()),
        UserOrTeam::Team(id) => Some(id.to_string()),
    };
    let change = content.change.as_ref().filter(|change| content.rights.edits && is_active(change));
    html! {
        @if let Some((id, change)) = id.zip(change) {
            button.btn.ghost type="button" data-action="send" data-method="DELETE"
                data-url={ "spaces/" (change.space) "/change-requests/" (change.number) "/requested-reviewers/" (id) }
                aria-label={ "Withdraw the request to " (name) } { (content.frame.icon("x", "")) }
        }
    }
}
