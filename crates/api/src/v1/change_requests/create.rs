//! `POST /v1/spaces/{spaceId}/change-requests`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::change_requests::{ChangeRequestCreate, DEFAULT_SUBJECT};
use quire_domain::comments::FormatQuery;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path, Query};
use crate::present::ShownChangeRequest;
use crate::state::State;
use crate::v1::comments::body::ReadBody;
use crate::{present, respond};

/// Creates a draft with the current content of the space.
pub async fn create_change_request(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    OptionalJson(body): OptionalJson<ChangeRequestCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let description = match body.description {
        Some(body) => Some(ReadBody::read(&state, "description", body).await?),
        None => None,
    };
    let subject = body.subject.into_text()?.unwrap_or_else(|| DEFAULT_SUBJECT.to_owned());
    let (made, shown) = state
        .transact(caller, move |tx| {
            let space = tx.space(space)?.authorize(Action::EditContent)?;
            let description = description.map(ReadBody::checked).transpose()?;
            let made = tx.create_change_request(&space, &subject, description)?;
            let shown = ShownChangeRequest::load(tx, &made, format)?;
            Ok((made, shown))
        })
        .await?;
    let made = present::change_request_for(&state.urls, &made, shown);
    respond::created(&made.urls.location, &made)
}
