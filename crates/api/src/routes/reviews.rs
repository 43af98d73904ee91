//! Reviews and requested reviewers, contributors, and the change requests of an organization.

use quire_domain::ChangeRequest;
use quire_domain::change_requests::{ChangeRequestQuery, Event, InSpaceQuery};
use quire_domain::comments::FormatQuery;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::reviews::{
    Contributor, RequestedReviewer, RequestedReviewers, Review, ReviewCreate, ReviewQuery, ReviewersRequest,
};

use crate::route::Access::Needs;
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::change_requests::{contributors, list_of_organization};
    use v1::reviews::{create, get, list, reviewers};
    const ALL: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews", Some(Object::ChangeRequest));
    const ONE: Resource = Tag::ChangeRequests
        .at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews/{reviewId}", None);
    const REVIEWERS: Resource = Tag::ChangeRequests.at(
        "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers",
        Some(Object::ChangeRequest),
    );
    const REVIEWER: Resource = Tag::ChangeRequests.at(
        "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}",
        Some(Object::Member),
    );
    const CONTRIBUTORS: Resource =
        Tag::ChangeRequests.at("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/contributors", None);
    const OF_ORGANIZATION: Resource =
        Tag::ChangeRequests.at("/v1/orgs/{organizationId}/change-requests", None);
    let (view, edit) = (Needs(Action::ViewSpace), Needs(Action::EditContent));
    vec![
        Route::get(
            OF_ORGANIZATION,
            "listChangeRequestsForOrganization",
            Needs(Action::ViewOrganization),
            "List an organization's change requests",
            list_of_organization::list_change_requests_for_organization,
        )
        .query::<PageQuery>()
        .query::<ChangeRequestQuery>()
        .query::<InSpaceQuery>()
        .lists::<ChangeRequest>(),
        Route::get(
            ALL,
            "listChangeRequestReviews",
            view,
            "List the reviews of a change request",
            list::list_change_request_reviews,
        )
        .query::<PageQuery>()
        .query::<ReviewQuery>()
        .query::<FormatQuery>()
        .lists::<Review>(),
        Route::post(
            ALL,
            "submitChangeRequestReview",
            Needs(Event::Review.required_action()),
            "Submit a review",
            create::submit_change_request_review,
        )
        .query::<FormatQuery>()
        .body::<ReviewCreate>()
        .answers::<Review>(201),
        Route::get(ONE, "getChangeRequestReview", view, "Get a review", get::get_change_request_review)
            .query::<FormatQuery>()
            .answers::<Review>(200),
        Route::get(
            REVIEWERS,
            "listRequestedReviewersInChangeRequest",
            view,
            "List requested reviewers",
            reviewers::list::list_requested_reviewers_in_change_request,
        )
        .query::<PageQuery>()
        .lists::<RequestedReviewer>(),
        Route::post(
            REVIEWERS,
            "requestReviewersInChangeRequest",
            edit,
            "Request reviews",
            reviewers::create::request_reviewers_in_change_request,
        )
        .body::<ReviewersRequest>()
        .answers::<RequestedReviewers>(200),
        Route::delete(
            REVIEWER,
            "removeRequestedReviewerInChangeRequest",
            edit,
            "Withdraw a review request",
            reviewers::delete::remove_requested_reviewer_in_change_request,
        )
        .answers_nothing(),
        Route::get(
            CONTRIBUTORS,
            "listChangeRequestContributors",
            view,
            "List a change request's contributors",
            contributors::list_change_request_contributors,
        )
        .query::<PageQuery>()
        .lists::<Contributor>(),
    ]
}
