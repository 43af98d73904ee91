//! `GET /v1/orgs/{organizationId}/members/{userId}/spaces`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, SpaceId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::members::{MemberSpace, OrderQuery};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the spaces that both the member and the caller may read, with the member's role.
pub async fn list_spaces_for_organization_member(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    Query(page): Query<PageQuery>,
    Query(OrderQuery { order }): Query<OrderQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<SpaceId>::new(format!("spaces of {user} in {organization}, {order:?}"), &page)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization =
                reader.organization(organization)?.authorize_about(user, Action::ViewMember)?;
            reader.member(&organization, user)?;
            Ok(reader.spaces_of_member(&organization, user, order, after, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |listed| listed.space.id,
        |listed| {
            let space = present::space(&state.urls, &listed.space, listed.role);
            Ok(MemberSpace { permission: listed.permission, space })
        },
    )
}
