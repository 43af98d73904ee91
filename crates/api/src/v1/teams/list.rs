//! `GET /v1/orgs/{organizationId}/teams`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, TeamId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::teams::TeamListQuery;
use quire_storage::teams::TeamFilter;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the teams of an organization, newest first.
pub async fn list_teams_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<TeamListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<TeamId>::new(format!("teams of {id}: {query:?}"), &page)?;
    let (after, limit) = list.position();
    let TeamListQuery { owner, title } = query;
    let filter = TeamFilter { owner, title: title.into_text()? };
    let (manages, slice) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ListTeams)?;
            let teams = reader.teams_of(&organization, &filter, after, limit)?;
            Ok((organization.may(Action::ManageTeam), teams))
        })
        .await?;
    list.respond(&request, slice, |listed| listed.team.id, |listed| Ok(present::team(listed, manages)))
}
