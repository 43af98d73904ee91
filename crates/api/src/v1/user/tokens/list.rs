//! `GET /v1/user/tokens`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::TokenId;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Query};
use crate::state::State;
use crate::{present, respond};

const LIST: &str = "own tokens";

/// The caller's tokens, newest first, without their secrets.
pub async fn handle(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let after: Option<TokenId> = present::cursor(LIST, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state.read(caller, move |reader| Ok(reader.own_tokens(after, limit)?)).await?;
    let list = present::list(LIST, slice, |token| token.id, |token| Ok(present::api_token(token, None)))?;
    respond::ok(&request, &list)
}
