//! `GET /v1/orgs/{organizationId}/spaces`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, SpaceId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The spaces of an organization that the caller may see, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("spaces of {id}");
    let after: Option<SpaceId> = present::cursor(&list, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
            Ok(reader.spaces_of(&organization, after, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |listed| listed.space.id,
        |listed| Ok(present::space(&state.urls, &listed.space, listed.role)),
    )?;
    respond::ok(&request, &list)
}
