//! `GET /v1/integrations` and `GET /v1/orgs/{organizationId}/integrations`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{IntegrationId, OrganizationId};
use quire_domain::integrations::IntegrationQuery;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::lookup::Credentials;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// Lists the matching public integrations, newest first.
pub async fn list_integrations(
    Caller(caller): Caller,
    Path(()): Path<()>,
    Query(page): Query<PageQuery>,
    Query(filter): Query<IntegrationQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    answer(caller, None, page, filter, &request, &state).await
}

/// Lists the matching public integrations and those that the organization published, newest first.
pub async fn list_organization_integrations(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    Query(filter): Query<IntegrationQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    answer(caller, Some(organization), page, filter, &request, &state).await
}

async fn answer(
    caller: Credentials,
    organization: Option<OrganizationId>,
    page: PageQuery,
    filter: IntegrationQuery,
    request: &HttpRequest,
    state: &State,
) -> ApiResult<HttpResponse> {
    let list = format!("integrations for {organization:?}, {filter:?}");
    let after: Option<IntegrationId> = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let (slice, may_change) = state
        .read(caller, move |reader| {
            let organization = match organization {
                Some(id) => Some(reader.organization(id)?.authorize(Action::ListIntegrations)?),
                None => None,
            };
            let slice = reader.integrations(organization.as_ref(), &filter, after, limit)?;
            let actor = reader.known_actor();
            Ok((slice, actor.is_some_and(|actor| actor.token_allows(Action::AdministerOrganization))))
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |found| found.item.id,
        |found| present::integration(&state.urls, found, may_change),
    )?;
    respond::ok(request, &list)
}
