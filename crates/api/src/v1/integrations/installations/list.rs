//! `GET /v1/orgs/{organizationId}/installations`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{InstallationId, OrganizationId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The installations on an organization, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("installations on {id}");
    let after: Option<InstallationId> = present::cursor(&list, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ListIntegrations)?;
            Ok(reader.installations_of(&organization, after, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |installation| installation.id,
        |installation| Ok(present::installation(&state.urls, id, installation)),
    )?;
    respond::ok(&request, &list)
}
