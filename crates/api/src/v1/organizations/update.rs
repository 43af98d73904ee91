//! `PATCH /v1/orgs/{organizationId}`

use std::collections::BTreeSet;

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::OrganizationId;
use quire_domain::organizations::OrganizationUpdate;
use quire_domain::policy::Action;
use quire_storage::organizations::OrganizationChanges;

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
    let changes = changes(body)?;
    let urls = state.urls.clone();
    let changed = state
        .transact(caller, move |tx| {
            let unlocked = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            tx.lock_organization_of(&unlocked)?;
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            if_match.check_with(|| present::organization(&urls, (*organization).clone()))?;
            tx.update_organization(&organization, changes)?;
            Ok(tx.organization(id)?.authorize(Action::ViewOrganization)?.into_inner())
        })
        .await?;
    respond::changed(&present::organization(&state.urls, changed)?)
}

fn changes(body: OrganizationUpdate) -> ApiResult<OrganizationChanges> {
    let OrganizationUpdate {
        title,
        email_domains,
        hostname,
        default_role,
        default_content,
        logo,
        sso,
        ai,
        invite_links,
    } = body;
    Ok(OrganizationChanges {
        title: title.into_text()?,
        email_domains: email_domains.into_text()?.map(lowercase),
        hostname: hostname.into_text()?,
        default_role,
        default_content,
        logo: logo.into_text()?,
        sso,
        ai,
        invite_links,
    })
}

/// Returns distinct domains in lowercase, the form in which they are compared.
pub(super) fn lowercase(domains: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let lower = domains.into_iter().map(|domain| domain.to_lowercase());
    lower.filter(|domain| seen.insert(domain.clone())).collect()
}
