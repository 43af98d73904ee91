//! `GET /v1/orgs/{organizationId}/members/{userId}/teams`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::teams::{MemberTeam, TeamMembership, TeamTitleQuery};

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the teams of a member, newest first.
pub async fn list_teams_for_organization_member(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    Query(page): Query<PageQuery>,
    Query(TeamTitleQuery { title }): Query<TeamTitleQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let title = title.into_text()?;
    let list = Listing::<TeamId>::new(format!("teams of {user} in {organization} titled {title}"), &page)?;
    let (after, limit) = list.position();
    let (manages, slice) = state
        .read(caller, move |reader| {
            let organization =
                reader.organization(organization)?.authorize_about(user, Action::ViewMember)?;
            reader.member(&organization, user)?;
            let teams = reader.teams_of_member(&organization, user, &title, after, limit)?;
            Ok((organization.may(Action::ManageTeam), teams))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |listed| listed.team.team.id,
        |listed| {
            let member = TeamMembership { role: listed.role };
            Ok(MemberTeam { team: present::team(listed.team, manages), member })
        },
    )
}
