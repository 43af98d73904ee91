//! `DELETE /v1/spaces/{spaceId}`

use actix_web::HttpResponse;
use quire_domain::ids::SpaceId;
use quire_domain::spaces::Event;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Puts a space into the bin. For seven days its admins can restore it; then it is removed for good.
pub async fn delete_space_by_id(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let space = tx.space(id)?.authorize_even_deleted(Event::Delete.required_action())?;
            Ok(tx.delete_space(space)?)
        })
        .await?;
    Ok(respond::no_content())
}
