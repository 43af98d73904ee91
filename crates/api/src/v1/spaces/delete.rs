//! `DELETE /v1/spaces/{spaceId}`

use actix_web::HttpResponse;
use quire_domain::ids::SpaceId;
use quire_domain::spaces::Event;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes a space. Administrators can restore it for seven days; then it is purged.
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
