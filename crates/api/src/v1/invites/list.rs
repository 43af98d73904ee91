//! `GET /v1/orgs/{organizationId}/link-invites`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use uuid::Uuid;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the invite links of an organization and its content, newest first.
pub async fn list_organization_invite_links(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<Uuid>::new(format!("invites of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            Ok(reader.invites_of(&organization, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |invite| invite.seed, |invite| Ok(present::invite(&state.urls, invite)))
}
