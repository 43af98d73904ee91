//! `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers`

use std::collections::BTreeSet;

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::error::{FieldError, Reason};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_domain::reviews::{RequestedReviewers, ReviewersRequest};
use quire_storage::Tx;
use quire_storage::change_requests::ChangeRequestChanges;
use quire_storage::lookup::{Authorized, ChangeRequestKey, ChangeRequestRecord, InSpace};

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Requests reviews of users and teams. Existing requests are kept.
pub async fn request_reviewers_in_change_request(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Json(body): Json<ReviewersRequest>,
    state: State,
) -> ApiResult<HttpResponse> {
    if body.users.is_empty() && body.teams.is_empty() {
        return Err(ApiError::invalid_field("users", "must name at least one user, or `teams` a team"));
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
