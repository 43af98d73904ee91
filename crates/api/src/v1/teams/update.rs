//! `PATCH /v1/orgs/{organizationId}/teams/{teamId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, TeamId};
use quire_domain::policy::Action;
use quire_domain::teams::TeamUpdate;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates the title of a team.
pub async fn update_team_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    Json(TeamUpdate { title }): Json<TeamUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let title = title.into_text()?;
    let team = state
        .transact(caller, move |tx| {
            let found = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            tx.lock_organization_of(&found)?;
            tx.lock_team(&found)?;
            let found = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            if_match.check_with(|| Ok(present::team(tx.show_team(&found)?, true)))?;
            tx.rename_team(&found, &title)?;
            let renamed = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            Ok(tx.show_team(&renamed)?)
        })
        .await?;
    respond::changed(&present::team(team, true))
}
