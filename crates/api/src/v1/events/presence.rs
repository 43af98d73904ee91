//! `PUT /v1/presence`

use actix_web::HttpResponse;
use quire_domain::events::PresenceUpdate;
use quire_domain::policy::Action;
use quire_storage::lookup::ChangeRequestKey;
use quire_storage::presences::Place;

use crate::error::ApiResult;
use crate::extract::{Caller, Json};
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;

/// Notes that the caller has content open, for 20 seconds.
pub async fn update_presence(
    Caller(caller): Caller,
    Json(body): Json<PresenceUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    if_match.check_untagged()?;
    let PresenceUpdate { space, change_request, page, block, typing } = body;
    let block = block.map(|block| block.into_text()).transpose()?;
    let place = Place { page, block, typing };
    state
        .transact(caller, move |tx| {
            let user = match change_request {
                Some(id) => {
                    let found = tx.change_request(space, ChangeRequestKey::Id(id))?;
                    found.authorize(Action::ViewSpace)?.actor().user
                }
                None => tx.space(space)?.authorize(Action::ViewSpace)?.actor().user,
            };
            Ok(tx.put_presence(space, change_request, user, &place)?)
        })
        .await?;
    Ok(respond::no_content())
}
