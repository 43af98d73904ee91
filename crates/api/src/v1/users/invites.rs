//! `GET /v1/user/invites`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::InviteId;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

const LIST: &str = "own invites";

/// Lists the pending e-mail invites to the caller's verified address, newest first.
pub async fn list_invites_for_authenticated_user(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<InviteId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let slice = state.read(caller, move |reader| Ok(reader.own_invites(after, limit)?)).await?;
    list.respond(&request, slice, |own| own.invite.id, |own| Ok(present::own_invite(own)))
}
