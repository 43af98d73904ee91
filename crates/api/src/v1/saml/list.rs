//! `GET /v1/orgs/{organizationId}/saml`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, SamlProviderId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the SAML providers of an organization, newest first.
pub async fn list_saml_providers_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<SamlProviderId>::new(format!("SAML providers of {id}"), &query)?;
    let (after, limit) = list.position();
    let (organization, slice) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            let slice = reader.saml_providers_of(&organization, after, limit)?;
            Ok((organization, slice))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |provider| provider.id,
        |provider| Ok(present::saml_provider(&state.urls, &organization, id, provider)),
    )
}
