//! `GET /v1/orgs/{organizationId}/invites`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{InviteId, OrganizationId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::state::State;

/// Lists pending e-mail invites without their secrets, newest first.
pub async fn list_organization_email_invites(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<InviteId>::new(format!("e-mail invites of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            Ok(reader.email_invites_of(&organization, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |invite| invite.id, Ok)
}
