//! `GET /v1/user/sessions`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SessionId;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

const LIST: &str = "own sessions";

/// Lists the caller's sessions without their secrets, newest first.
pub async fn list_sessions(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<SessionId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let slice = state.read(caller, move |reader| Ok(reader.own_sessions(after, limit)?)).await?;
    list.respond(&request, slice, |session| session.id, |session| Ok(present::session(session)))
}
