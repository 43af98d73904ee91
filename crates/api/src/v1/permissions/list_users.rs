//! `GET …/permissions/users`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::GrantId;
use quire_domain::list::PageQuery;
use quire_domain::permissions::UserPermission;

use super::place::{Intent, Place};
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The users who were granted a role on this very space or collection, last first.
pub async fn handle<P: Place>(
    Caller(caller): Caller,
    Path(place): Path<P>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("users with a grant on {place}");
    let after: Option<GrantId> = present::cursor(&list, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state
        .read(caller, move |reader| {
            let opened = place.open(reader, Intent::See)?;
            Ok(reader.user_grants(opened.shared(), after, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |grant| grant.id,
        |grant| Ok(UserPermission { permission: grant.role, user: present::user(&state.urls, &grant.user) }),
    )?;
    respond::ok(&request, &list)
}
