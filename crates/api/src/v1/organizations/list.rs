//! `GET /v1/orgs`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

const LIST: &str = "organizations";

/// Lists the organizations of the caller, newest first.
pub async fn list_organizations_for_authenticated_user(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<OrganizationId>::new(LIST, &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            reader.actor()?;
            Ok(reader.organizations(after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |record| record.id, |record| present::organization(&state.urls, record))
}
