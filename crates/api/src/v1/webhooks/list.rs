//! `GET /v1/orgs/{organizationId}/webhooks`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The webhooks of an organization, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("webhooks of {organization}");
    let below = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(organization)?.authorize(Action::InspectOrganization)?;
            Ok(reader.webhooks(&organization, below, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |record| record.id,
        |record| Ok(present::webhook(&state.urls, record, None)),
    )?;
    respond::ok(&request, &list)
}
