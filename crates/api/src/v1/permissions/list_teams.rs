//! `GET …/permissions/teams`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::GrantId;
use quire_domain::list::PageQuery;
use quire_domain::permissions::TeamPermission;
use quire_domain::policy::Action;

use super::target::{GrantTarget, Intent};
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the teams with a grant on the space or collection itself, newest first.
pub async fn list_team_grants<P: GrantTarget>(
    Caller(caller): Caller,
    Path(container): Path<P>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<GrantId>::new(format!("teams with a grant on {container}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let opened = container.open(reader, Intent::See)?;
            Ok(reader.team_grants(opened.shared(), opened.actor(), after, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |grant| grant.id,
        |grant| {
            let manages = grant.actor.allows(Action::ManageTeam);
            Ok(TeamPermission { permission: grant.role, team: present::team(grant.team, manages) })
        },
    )
}
