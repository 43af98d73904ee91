//! `GET …/permissions/aggregate`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::Role;
use quire_domain::ids::UserId;
use quire_domain::list::PageQuery;
use quire_domain::permissions::{PermissionQuery, UserPermission};

use super::target::{GrantTarget, Intent};
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists all users with a role on a space or collection, from any source: grants to them or their teams, here or above,
/// the default level, or administration of the organization. Newest users first.
pub async fn list_member_permissions<P: GrantTarget>(
    Caller(caller): Caller,
    Path(container): Path<P>,
    Query(page): Query<PageQuery>,
    Query(PermissionQuery { role }): Query<PermissionQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<UserId>::new(
        format!("users with {} on {container}", role.map_or("any role", Role::as_str)),
        &page,
    )?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let opened = container.open(reader, Intent::See)?;
            Ok(reader.roles_on(opened.shared(), role, after, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |grant| grant.user.id(),
        |grant| Ok(UserPermission { permission: grant.role, user: present::user(&state.urls, &grant.user) }),
    )
}
