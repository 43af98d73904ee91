//! `GET /v1/orgs/{organizationId}/oidc`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OidcProviderId, OrganizationId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the OpenID Connect providers of an organization, newest first.
pub async fn list_oidc_providers(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<OidcProviderId>::new(format!("OpenID Connect providers of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            Ok(reader.oidc_providers_of(&organization, after, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |provider| provider.id,
        |provider| Ok(present::oidc_provider(&state.urls, id, provider)),
    )
}
