//! `GET /v1/orgs/{organizationId}/openapi`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OpenApiSpecId, OrganizationId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// The OpenAPI specifications of an organization, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("openapi specs of {id}");
    let after: Option<OpenApiSpecId> = present::cursor(&list, query.page.as_deref())?;
    let limit = query.limit();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganizationContent)?;
            Ok(reader.openapi_specs(&organization, after, limit)?)
        })
        .await?;
    let list =
        present::list(&list, slice, |spec| spec.id, |spec| Ok(present::openapi_spec(&state.urls, &spec)))?;
    respond::ok(&request, &list)
}
