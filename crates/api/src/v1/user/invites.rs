//! `GET /v1/user/invites`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::InviteId;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Query};
use crate::state::State;
use crate::{present, respond};

const LIST: &str = "own invites";

/// Pending e-mail invites to the caller's verified address, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let after: Option<InviteId> = present::cursor(LIST, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state.read(caller, move |reader| Ok(reader.own_invites(after, limit)?)).await?;
    let list = present::list(LIST, slice, |own| own.invite.id, |own| Ok(present::own_invite(own)))?;
    respond::ok(&request, &list)
}
