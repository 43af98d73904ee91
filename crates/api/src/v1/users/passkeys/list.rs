//! `GET /v1/user/passkeys`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::PasskeyId;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

const LIST: &str = "own passkeys";

/// Lists the caller's passkeys, newest first.
pub async fn list_passkeys(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<PasskeyId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let slice = state.read(caller, move |reader| Ok(reader.own_passkeys(after, limit)?)).await?;
    list.respond(&request, slice, |passkey| passkey.id, |passkey| Ok(present::passkey(passkey)))
}
