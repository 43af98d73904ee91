//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::comments::FormatQuery;
use quire_domain::ids::SpaceId;
use quire_storage::Reader;
use quire_storage::lookup::{ChangeRequestKey, ContentSelector};

use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query, Reading};
use crate::present::ShownChangeRequest;
use crate::state::State;
use crate::visitors::{Readable, readable_content};
use crate::{present, respond};

/// Returns a change request by id or number. The holder of a preview reads the one that the preview shows, without the
/// e-mail address of its author and without the description.
pub async fn get_change_request_by_id(
    caller: Reading,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    Query(FormatQuery { format }): Query<FormatQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let credentials = caller.credentials();
    let look = move |reader: &mut Reader<'_>| {
        let selector = ContentSelector::ChangeRequest(key);
        let Readable { content, claims } = readable_content(reader, &caller, (space, selector))?;
        let found = content.into_change_request().ok_or_else(ApiError::not_found)?;
        let is_visitor = claims.is_some();
        let shown = (!is_visitor).then(|| ShownChangeRequest::load(reader, &found, format)).transpose()?;
        Ok((found, shown))
    };
    let (found, shown) = state.read(credentials, look).await?;
    let Some(shown) = shown else {
        let mut change_request = present::change_request(&state.urls, &found.item, found.space.head);
        change_request.created_by.email = None;
        return respond::ok(&request, &change_request);
    };
    respond::ok(&request, &present::change_request_for(&state.urls, &found, shown))
}
