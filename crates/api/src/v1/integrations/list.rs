//! `GET /v1/integrations`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::IntegrationId;
use quire_domain::integrations::IntegrationQuery;
use quire_domain::list::PageQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The integrations that match, newest first: those that are public, and those that are private to an organization of the caller's.
pub async fn handle(
    Caller(caller): Caller,
    Path(()): Path<()>,
    Query(page): Query<PageQuery>,
    Query(filter): Query<IntegrationQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("integrations {filter:?}");
    let after: Option<IntegrationId> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let (slice, read_only) = state
        .read(caller, move |reader| {
            let slice = reader.integrations(&filter, after, limit)?;
            Ok((slice, reader.seen_actor().is_none_or(|actor| actor.read_only)))
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |found| found.item.id,
        |found| present::integration(&state.urls, found, read_only),
    )?;
    respond::ok(&request, &list)
}
