//! `POST /v1/spaces/{spaceId}/change-requests`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::change_requests::{ChangeRequestCreate, DEFAULT_SUBJECT};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::state::State;
use crate::{present, respond};

/// Creates a draft with the current content of the space.
pub async fn create_change_request(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    OptionalJson(body): OptionalJson<ChangeRequestCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let subject = body.subject.into_text()?.unwrap_or_else(|| DEFAULT_SUBJECT.to_owned());
    let (made, check) = state
        .transact(caller, move |tx| {
            let space = tx.space(space)?.authorize(Action::EditContent)?;
            let made = tx.create_change_request(&space, &subject)?;
            let check = tx.merge_check(&made)?;
            Ok((made, check))
        })
        .await?;
    let made = present::change_request_for(&state.urls, &made, check);
    respond::created(&made.urls.location, &made)
}
