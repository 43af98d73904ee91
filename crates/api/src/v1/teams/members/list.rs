//! `GET /v1/orgs/{organizationId}/teams/{teamId}/members`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The members of a team, newest users first.
pub async fn handle(
    Caller(caller): Caller,
    Path((organization, team)): Path<(OrganizationId, TeamId)>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("members of team {team}");
    let after: Option<UserId> = present::cursor(&list, query.page.as_deref())?;
    let limit = query.limit();
    let (view, slice) = state
        .read(caller, move |reader| {
            let team = reader.team(organization, team)?.authorize(Action::ListTeams)?;
            Ok((team.may(Action::ListMembers), reader.team_members_of(&team, after, limit)?))
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |record| record.member.id,
        |record| Ok(present::team_member(&state.urls, &record, view)),
    )?;
    respond::ok(&request, &list)
}
