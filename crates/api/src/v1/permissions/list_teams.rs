//! `GET …/permissions/teams`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::GrantId;
use quire_domain::list::PageQuery;
use quire_domain::permissions::TeamPermission;

use super::place::{Intent, Place};
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The teams that were granted a role on this very space or collection, last first.
pub async fn handle<P: Place>(
    Caller(caller): Caller,
    Path(place): Path<P>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("teams with a grant on {place}");
    let after: Option<GrantId> = present::cursor(&list, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state
        .read(caller, move |reader| {
            let opened = place.open(reader, Intent::See)?;
            Ok(reader.team_grants(opened.shared(), opened.actor().user, after, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |grant| grant.id,
        |grant| {
            let manages = grant.actor_is_admin;
            Ok(TeamPermission { permission: grant.role, team: present::team(grant.team, manages) })
        },
    )?;
    respond::ok(&request, &list)
}
