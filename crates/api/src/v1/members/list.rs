//! `GET /v1/orgs/{organizationId}/members`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_domain::members::MemberListQuery;
use quire_domain::policy::Action;
use quire_storage::members::{MemberFilter, MemberKey};

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the members of an organization by time of joining or last activity.
pub async fn list_members_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<MemberListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<MemberKey>::new(format!("members of {id}: {query:?}"), &page)?;
    let (after, limit) = list.position();
    let MemberListQuery { order, role, search, sort } = query;
    let filter = MemberFilter { sort, order, role, search: search.into_text()? };
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ListMembers)?;
            Ok(reader.members_of(&organization, &filter, after, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |member| MemberKey::of(member, sort),
        |member| Ok(present::member(&state.urls, &member)),
    )
}
