//! Presentation of reviews, requested reviewers and contributors.

use quire_domain::reviews::{
    Contributor, RequestedReviewer, RequestedReviewerTag, RequestedTeam, RequestedTeamTag, Review, ReviewTag,
    ReviewUrls, Reviewer,
};
use quire_storage::content::change_requests::ChangeRequestRecord;
use quire_storage::content::reviews::{Asked, ReviewerRecord, ShownReview};
use quire_storage::lookup::UserRecord;

use super::comments::Viewer;
use super::users::user;
use crate::urls::Urls;

/// Returns a review of a change request as this viewer sees it.
#[must_use]
pub fn review(
    urls: &Urls,
    change_request: &ChangeRequestRecord,
    shown: ShownReview,
    viewer: Viewer,
) -> Review {
    let ShownReview { review, comment } = shown;
    let edited_at = comment.as_ref().and_then(|shown| shown.comment.edited_at);
    let parent = format!("spaces/{}/change-requests/{}", change_request.space, change_request.id);
    Review {
        object: ReviewTag::Tag,
        id: review.id,
        revision: review.revision,
        reviewer: user(urls, &review.reviewer),
        requested_by: review.requested_by.id().map(|_| user(urls, &review.requested_by)),
        status: review.status,
        outdated: review.revision != change_request.head,
        comment: comment.map(|shown| Box::new(super::comment(urls, shown, viewer))),
        created_at: review.created_at,
        updated_at: edited_at.unwrap_or(review.created_at),
        urls: ReviewUrls { location: urls.api(format_args!("{parent}/reviews/{}", review.id)) },
    }
}

/// Returns a requested reviewer.
#[must_use]
pub fn requested_reviewer(urls: &Urls, record: &ReviewerRecord) -> RequestedReviewer {
    RequestedReviewer {
        object: RequestedReviewerTag::Tag,
        revision: record.revision,
        requested_by: user(urls, &record.requested_by),
        created_at: record.created_at,
        reviewer: match &record.asked {
            Asked::User(asked) => Reviewer::User { user: user(urls, asked) },
            Asked::Team(id) => {
                Reviewer::Team { team: RequestedTeam { object: RequestedTeamTag::Tag, id: *id } }
            }
        },
    }
}

/// Returns a contributor of a change request.
#[must_use]
pub fn contributor(urls: &Urls, contributor: &Contributor<UserRecord>) -> Contributor {
    let Contributor { user: by, count, updated_at, action_type } = contributor;
    Contributor { user: user(urls, by), count: *count, updated_at: *updated_at, action_type: *action_type }
}
