//! `GET /v1/orgs`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Query};
use crate::state::State;
use crate::{present, respond};

const LIST: &str = "organizations";

/// The organizations that the caller is a member of, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let after: Option<OrganizationId> = present::cursor(LIST, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state
        .read(caller, move |reader| {
            reader.actor()?;
            Ok(reader.organizations(after, limit)?)
        })
        .await?;
    let list =
        present::list(LIST, slice, |record| record.id, |record| present::organization(&state.urls, record))?;
    respond::ok(&request, &list)
}
