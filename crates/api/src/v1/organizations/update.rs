//! `PATCH /v1/orgs/{organizationId}`

use actix_web::HttpResponse;
use quire_domain::ids::OrganizationId;
use quire_domain::organizations::OrganizationUpdate;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates the settings of an organization.
pub async fn update_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    OptionalJson(body): OptionalJson<OrganizationUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let changed = state
        .transact(caller, move |tx| {
            let unlocked = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            tx.lock_organization_of(&unlocked)?;
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            if_match.check_with(|| present::organization(&urls, (*organization).clone()))?;
            tx.update_organization(&organization, body)?;
            Ok(tx.organization(id)?.authorize(Action::ViewOrganization)?.into_inner())
        })
        .await?;
    respond::changed(&present::organization(&state.urls, changed)?)
}
