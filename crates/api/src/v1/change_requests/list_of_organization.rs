//! `GET /v1/orgs/{organizationId}/change-requests`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::change_requests::{ChangeRequestQuery, InSpaceQuery};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::change_requests::ChangeRequestPosition;

use super::filter::filter;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// Lists the change requests with one status in all spaces that the caller may see, newest first by default.
pub async fn list_change_requests_for_organization(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<ChangeRequestQuery>,
    Query(InSpaceQuery { space }): Query<InSpaceQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (filter, list) = filter(&id.to_string(), query, space);
    let after: Option<ChangeRequestPosition> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
            Ok(reader.change_requests_of_organization(&organization, filter, after, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |listed| ChangeRequestPosition::of(&listed.change_request),
        |listed| Ok(present::change_request(&state.urls, &listed.change_request, listed.space_head)),
    )?;
    respond::ok(&request, &list)
}
