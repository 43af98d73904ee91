//! `GET /v1/user/tokens`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::TokenId;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

const LIST: &str = "own tokens";

/// Lists the caller's tokens without their secrets, newest first.
pub async fn list_api_tokens(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<TokenId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let slice = state.read(caller, move |reader| Ok(reader.own_tokens(after, limit)?)).await?;
    list.respond(&request, slice, |token| token.id, |token| Ok(present::api_token(token, None)))
}
