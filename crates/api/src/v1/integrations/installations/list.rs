//! `GET /v1/orgs/{organizationId}/installations`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{InstallationId, OrganizationId};
use quire_domain::integrations::InstalledIntegration;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the integrations that are installed on an organization, newest installation first.
pub async fn list_organization_installations(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<InstallationId>::new(format!("installations on {id}"), &query)?;
    let (after, limit) = list.position();
    let (slice, may_change) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ListIntegrations)?;
            let may_change = organization.actor().token_allows(Action::AdministerOrganization);
            Ok((reader.installations_of(&organization, after, limit)?, may_change))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |(_, installation)| installation.id,
        |(integration, installation)| {
            Ok(InstalledIntegration {
                integration: present::integration(&state.urls, integration, may_change)?,
                installation: present::installation(&state.urls, id, installation),
            })
        },
    )
}
