//! `DELETE /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Removes a member from a team, and with it the grants of the team.
pub async fn delete_member_from_organization_team_by_id(
    Caller(caller): Caller,
    Path((organization, team, user)): Path<(OrganizationId, TeamId, UserId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let team = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            Ok(tx.remove_team_member(&team, user)?)
        })
        .await?;
    Ok(respond::no_content())
}
