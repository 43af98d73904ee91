//! `GET /v1/orgs/{organizationId}/webhooks`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the webhooks of an organization, newest first.
pub async fn list_webhooks(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::new(format!("webhooks of {organization}"), &page)?;
    let (below, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(organization)?.authorize(Action::InspectOrganization)?;
            Ok(reader.webhooks(&organization, below, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |record| record.id,
        |record| Ok(present::webhook(&state.urls, record, None)),
    )
}
