//! `GET /v1/orgs/{organizationId}/teams/{teamId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, TeamId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns a team.
pub async fn get_team_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (team, manages) = state
        .read(caller, move |reader| {
            let team = reader.team(organization, team)?.authorize(Action::ListTeams)?;
            Ok((reader.show_team(&team)?, team.may(Action::ManageTeam)))
        })
        .await?;
    respond::ok(&request, &present::team(team, manages))
}
