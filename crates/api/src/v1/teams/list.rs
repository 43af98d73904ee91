//! `GET /v1/orgs/{organizationId}/teams`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, TeamId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::teams::TeamListQuery;
use quire_storage::teams::TeamFilter;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The teams of an organization, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<TeamListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("teams of {id}: {query:?}");
    let TeamListQuery { owner, title } = query;
    let filter = TeamFilter { owner, title };
    let after: Option<TeamId> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let (manages, slice) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ListTeams)?;
            let teams = reader.teams_of(&organization, &filter, after, limit)?;
            Ok((organization.may(Action::ManageTeam), teams))
        })
        .await?;
    let list =
        present::list(&list, slice, |listed| listed.team.id, |listed| Ok(present::team(listed, manages)))?;
    respond::ok(&request, &list)
}
