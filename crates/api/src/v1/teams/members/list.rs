//! `GET /v1/orgs/{organizationId}/teams/{teamId}/members`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the members of a team, newest users first.
pub async fn list_team_members_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<UserId>::new(format!("members of team {team}"), &query)?;
    let (after, limit) = list.position();
    let (view, slice) = state
        .read(caller, move |reader| {
            let team = reader.team(organization, team)?.authorize(Action::ListTeams)?;
            Ok((team.may(Action::ListMembers), reader.team_members_of(&team, after, limit)?))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |(member, _)| member.id,
        |(member, role)| Ok(present::team_member(&state.urls, &member, role, view)),
    )
}
