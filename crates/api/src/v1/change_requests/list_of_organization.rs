//! `GET /v1/orgs/{organizationId}/change-requests`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::change_requests::ChangeRequestQuery;
use quire_domain::ids::{ChangeRequestId, OrganizationId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::change_requests::ChangeRequestFilter;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The change requests of all spaces that the caller may see, which stand at one status, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(ChangeRequestQuery { status, contributor }): Query<ChangeRequestQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let by = contributor.map(|user| format!(" by {user}")).unwrap_or_default();
    let list = format!("{} change requests in {id}{by}", status.as_str());
    let before: Option<ChangeRequestId> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
            let filter = ChangeRequestFilter { status, contributor };
            Ok(reader.change_requests_of_organization(&organization, filter, before, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |listed| listed.change_request.id,
        |listed| Ok(present::change_request(&state.urls, &listed.change_request, listed.space_head)),
    )?;
    respond::ok(&request, &list)
}
