//! `PUT /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::policy::Action;
use quire_domain::teams::{TeamMemberPut, TeamMembersUpdate, TeamMembership, UserKey};
use quire_storage::teams::UnknownMembers;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;

/// Adds a member to a team, or changes the member's role in it.
pub async fn add_member_to_organization_team_by_id(
    Caller(caller): Caller,
    Path((organization, team, user)): Path<(OrganizationId, TeamId, UserId)>,
    OptionalJson(TeamMemberPut { role }): OptionalJson<TeamMemberPut>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let update = match role {
        Some(role) => TeamMembersUpdate {
            memberships: Some([(user, TeamMembership { role })].into()),
            ..TeamMembersUpdate::default()
        },
        None => TeamMembersUpdate { add: Some(vec![UserKey::Id(user)]), ..TeamMembersUpdate::default() },
    };
    state
        .transact(caller, move |tx| {
            let team = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            if_match.check_untagged()?;
            // A missing user is attributed to the path, not to the body.
            if tx.change_team_members(&team, update)? == UnknownMembers::default() {
                return Ok(());
            }
            Err(ApiError::not_found())
        })
        .await?;
    Ok(respond::no_content())
}
