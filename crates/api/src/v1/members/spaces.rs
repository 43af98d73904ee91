//! `GET /v1/orgs/{organizationId}/members/{userId}/spaces`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, SpaceId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::members::{MemberSpace, OrderQuery};
use quire_domain::policy::Action;

use super::access::organization_of;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The spaces that a member may read, with its role on each, as far as the caller may read them, too.
pub async fn handle(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    Query(page): Query<PageQuery>,
    Query(OrderQuery { order }): Query<OrderQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("spaces of {user} in {organization}, {order:?}");
    let after: Option<SpaceId> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let (own, others) = (Action::ViewOrganization, Action::ListMembers);
            let organization = organization_of(reader, organization, user, own, others)?;
            reader.member(&organization, user)?;
            Ok(reader.spaces_of_member(&organization, user, order, after, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |listed| listed.space.id,
        |listed| {
            let space = present::space(&state.urls, &listed.space, listed.role);
            Ok(MemberSpace { permission: listed.permission, space })
        },
    )?;
    respond::ok(&request, &list)
}
