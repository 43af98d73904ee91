//! Reviews of change requests.

use std::collections::BTreeSet;

use quire_domain::Timestamp;
use quire_domain::change_requests::Event;
use quire_domain::comments::FormatQuery;
use quire_domain::reviews::{
    RequestedReviewer, RequestedReviewers, Review, ReviewCreate, ReviewQuery, ReviewersRequest,
};
use quire_storage::content::change_requests::{
    ChangeRequestChanges, ChangeRequestKey, ChangeRequestRecord, InSpace,
};
use quire_storage::content::reviews::ReviewFilter;

use crate::prelude::*;
use crate::present::Viewer;
use crate::v1::comments::body::ReadBody;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
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
    let view = Needs(Action::ViewSpace);
    let edit = Needs(Action::EditContent);
    vec![
        Route::get(ALL, view, "List the reviews of a change request", list_change_request_reviews)
            .query::<PageQuery>()
            .query::<ReviewQuery>()
            .query::<FormatQuery>()
            .lists::<Review>(),
        Route::post(
            ALL,
            Needs(Event::Review.required_action()),
            "Submit a review",
            submit_change_request_review,
        )
        .query::<FormatQuery>()
        .body::<ReviewCreate>()
        .answers::<Review>(201),
        Route::get(ONE, view, "Get a review", get_change_request_review)
            .query::<FormatQuery>()
            .answers::<Review>(200),
        Route::get(REVIEWERS, view, "List requested reviewers", list_requested_reviewers_in_change_request)
            .query::<PageQuery>()
            .lists::<RequestedReviewer>(),
        Route::post(REVIEWERS, edit, "Request reviews", request_reviewers_in_change_request)
            .body::<ReviewersRequest>()
            .answers::<RequestedReviewers>(200),
        Route::delete(
            REVIEWER,
            edit,
            "Withdraw a review request",
            remove_requested_reviewer_in_change_request,
        )
        .answers_nothing(),
    ]
}

async fn list_change_request_reviews(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(page): Query<PageQuery>,
    Query(ReviewQuery { outdated }): Query<ReviewQuery>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<ReviewId>::new(format!("reviews of {space} {key:?} {outdated:?}"), &page)?;
    let (before, limit) = list.position();
    let (found, slice) = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            let slice = reader.reviews(&found, ReviewFilter { outdated, format }, before, limit)?;
            Ok((found, slice))
        })
        .await?;
    let viewer = Viewer::of(&found);
    list.respond(
        &request,
        slice,
        |shown| shown.review.id,
        |shown| Ok(present::review(&state.urls, &found.item, shown, viewer)),
    )
}

async fn submit_change_request_review(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    Json(ReviewCreate { status, comment }): Json<ReviewCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let comment = match comment {
        Some(body) => Some(ReadBody::read(&state, "comment", body).await?),
        None => None,
    };
    let (found, shown) = state
        .transact(caller, move |tx| {
            let content = tx
                .content(space, ContentSelector::ChangeRequest(key))?
                .authorize(Event::Review.required_action())?;
            let comment = comment.map(ReadBody::checked).transpose()?;
            let id = tx.submit_review(&content, status, comment)?;
            let found = tx.change_request(space, key)?.authorize(Action::ViewSpace)?;
            let shown = tx.review(&found, id, format)?;
            Ok((found, shown))
        })
        .await?;
    let review = present::review(&state.urls, &found.item, shown, Viewer::of(&found));
    respond::created(&review.urls.location, &review)
}

async fn get_change_request_review(
    Caller(caller): Caller,
    Path((space, key, id)): Path<(SpaceId, ChangeRequestKey, ReviewId)>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (found, shown) = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            let shown = reader.review(&found, id, format)?;
            Ok((found, shown))
        })
        .await?;
    respond::ok(&request, &present::review(&state.urls, &found.item, shown, Viewer::of(&found)))
}

async fn list_requested_reviewers_in_change_request(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("requested reviewers of {space} {key:?}");
    let before: Option<(Timestamp, UserId)> = present::cursor(&list, page.page.as_deref())?;
    let before = before.map(|(at, id)| (at, *id.as_uuid()));
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let found = reader.change_request(space, key)?.authorize(Action::ViewSpace)?;
            Ok(reader.requested_reviewers(&found, before, limit)?)
        })
        .await?;
    let key = |record: &quire_storage::content::reviews::ReviewerRecord| {
        let (at, id) = record.key();
        (at, UserId::from_uuid(id))
    };
    let list =
        present::list(&list, slice, key, |record| Ok(present::requested_reviewer(&state.urls, &record)))?;
    respond::ok(&request, &list)
}

async fn request_reviewers_in_change_request(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Json(body): Json<ReviewersRequest>,
    state: State,
) -> ApiResult<HttpResponse> {
    if body.users.is_empty() && body.teams.is_empty() {
        return Err(ApiError::invalid_field(
            "users",
            "must contain at least one user, unless `teams` contains a team",
        ));
    }
    let records = state
        .transact(caller, move |tx| {
            let found = tx.change_request(space, key)?.authorize(Action::EditContent)?;
            let locked = tx.lock_change_request(found)?;
            check(tx, &locked, &body)?;
            let subject = body.subject.clone().into_text()?;
            let update = ChangeRequestChanges { subject, ..ChangeRequestChanges::default() };
            let changed = tx.update_change_request(locked, update)?;
            Ok(tx.request_reviewers(&changed, &body.users, &body.teams)?)
        })
        .await?;
    let users = records.iter().map(|record| present::requested_reviewer(&state.urls, record)).collect();
    respond::changed(&RequestedReviewers { users })
}

/// Checks that all requested users and teams can review.
fn check(
    tx: &mut Tx<'_>,
    change_request: &Authorized<InSpace<ChangeRequestRecord>>,
    body: &ReviewersRequest,
) -> ApiResult<()> {
    let users = tx.possible_reviewers(change_request, &body.users)?;
    let teams =
        if body.teams.is_empty() { BTreeSet::new() } else { tx.possible_teams(change_request, &body.teams)? };
    let mut details = Vec::new();
    for (index, user) in body.users.iter().enumerate() {
        let field = format!("users[{index}]");
        if change_request.item.bars_reviewer(*user) {
            details.push(FieldError { field, message: "is the author of the change request".to_owned() });
        } else if !users.contains(user) {
            details.push(FieldError { field, message: "is not a user who may see the space".to_owned() });
        }
    }
    for (index, team) in body.teams.iter().enumerate().filter(|(_, team)| !teams.contains(team)) {
        let message = format!("is not a team of the organization: {team}");
        details.push(FieldError { field: format!("teams[{index}]"), message });
    }
    if details.is_empty() { Ok(()) } else { Err(ApiError::new(Reason::InvalidBody).with_details(details)) }
}

async fn remove_requested_reviewer_in_change_request(
    Caller(caller): Caller,
    Path((space, key, reviewer)): Path<(SpaceId, ChangeRequestKey, UserId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let found = tx.change_request(space, key)?.authorize(Action::EditContent)?;
            Ok(tx.remove_reviewer(&found, reviewer)?)
        })
        .await?;
    Ok(respond::no_content())
}
