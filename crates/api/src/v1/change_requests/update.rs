//! `PATCH /v1/spaces/{spaceId}/change-requests/{changeRequestId}`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::change_requests::ChangeRequestUpdate;
use quire_domain::comments::FormatQuery;
use quire_domain::ids::SpaceId;
use quire_domain::patch::Patch;
use quire_storage::change_requests::ChangeRequestChanges;
use quire_storage::lookup::ChangeRequestKey;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path, Query};
use crate::preconditions::IfMatch;
use crate::present::ShownChangeRequest;
use crate::state::State;
use crate::v1::comments::body::ReadBody;
use crate::{present, respond};

/// Updates the subject, description and status of a change request.
pub async fn update_change_request_by_id(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    OptionalJson(update): OptionalJson<ChangeRequestUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let actions = update.required_actions();
    let ChangeRequestUpdate { subject, description, status } = update;
    let subject = subject.into_text()?;
    let description = match description {
        Patch::Set(body) => Patch::Set(ReadBody::read(&state, "description", body).await?),
        Patch::Clear => Patch::Clear,
        Patch::Keep => Patch::Keep,
    };
    let urls = state.urls.clone();
    let (changed, shown) = state
        .transact(caller, move |tx| {
            let found = tx.change_request(space, key)?.authorize_all(&actions)?;
            let locked = tx.lock_change_request(found)?;
            if_match.check_with(|| {
                let shown = ShownChangeRequest::load(tx, &locked, format)?;
                Ok(present::change_request_for(&urls, &locked, shown))
            })?;
            let description = match description {
                Patch::Set(body) => Patch::Set(body.checked()?),
                Patch::Clear => Patch::Clear,
                Patch::Keep => Patch::Keep,
            };
            let changed =
                tx.update_change_request(locked, ChangeRequestChanges { subject, status, description })?;
            let shown = ShownChangeRequest::load(tx, &changed, format)?;
            Ok((changed, shown))
        })
        .await?;
    respond::changed(&present::change_request_for(&state.urls, &changed, shown))
}
