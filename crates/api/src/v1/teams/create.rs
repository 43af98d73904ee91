//! `PUT /v1/orgs/{organizationId}/teams`

use actix_web::HttpResponse;
use quire_domain::error::{FieldError, Reason};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::teams::TeamCreate;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Creates a team of members, with the caller as owner.
pub async fn create_organization_team(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(TeamCreate { title, members }): Json<TeamCreate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let title = title.into_text()?;
    let team = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            // A new team has no earlier version that could match.
            if_match.check_absent()?;
            let made = tx.create_team(&organization, &title, &members.unwrap_or_default())?;
            let team = made.map_err(unknown)?;
            let team = tx.team(id, team)?.authorize(Action::ListTeams)?;
            Ok(tx.show_team(&team)?)
        })
        .await?;
    let team = present::team(team, true);
    respond::created(&state.urls.api(format_args!("orgs/{id}/teams/{}", team.id)), &team)
}

fn unknown(indexes: Vec<usize>) -> ApiError {
    let details = indexes.into_iter().map(|index| FieldError {
        field: format!("members[{index}]"),
        message: "is not a member of the organization".to_owned(),
    });
    ApiError::new(Reason::InvalidBody).with_details(details.collect())
}
