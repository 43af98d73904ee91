//! `DELETE /v1/orgs/{organizationId}/teams/{teamId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, TeamId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes a team with its grants. Its members stay in the organization.
pub async fn remove_team_from_organization_by_id(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let team = tx.team(organization, team)?.authorize(Action::ManageTeam)?;
            Ok(tx.delete_team(&team)?)
        })
        .await?;
    Ok(respond::no_content())
}
