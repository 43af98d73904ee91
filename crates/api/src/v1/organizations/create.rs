//! `POST /v1/orgs`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::error::Reason;
use quire_domain::organizations::{OrganizationCreate, OrganizationType};
use quire_domain::patch::Patch;
use quire_domain::policy::{Action, DEFAULT_ROLE, OwnAction};
use quire_markup::slugify;
use quire_storage::organizations::NewOrganization;
use serde::Serialize;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json};
use crate::state::State;
use crate::{present, respond};

/// Creates an organization with the caller as administrator. A token limited to certain organizations is refused.
pub async fn create_organization(
    Caller(caller): Caller,
    Json(body): Json<OrganizationCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let new = new_organization(body)?;
    let organization = state
        .transact(caller, move |tx| {
            let actor = tx.actor()?;
            let limits = tx.token_limits(actor)?;
            if !limits.allow_own(OwnAction::CreateOrganization) {
                return Err(ApiError::new(Reason::Forbidden));
            }
            let id = tx.found_organization(actor, &new)?;
            Ok(tx.organization(id)?.authorize(Action::ViewOrganization)?)
        })
        .await?;
    let organization = present::organization(&state.urls, organization.into_inner())?;
    respond::created(&organization.urls.location, &organization)
}

fn new_organization(body: OrganizationCreate) -> ApiResult<NewOrganization> {
    let OrganizationCreate {
        title,
        email_domains,
        hostname,
        organization_type,
        use_case,
        community_type,
        default_role,
    } = body;
    let title = title.into_text()?;
    Ok(NewOrganization {
        slug: slugify(&title),
        title,
        email_domains: email_domains.into_text()?.unwrap_or_default(),
        hostname: hostname.into_text()?,
        kind: match organization_type {
            None | Some(OrganizationType::Business) => "business",
            Some(OrganizationType::Community) => "community",
        },
        use_case: use_case.map(word).transpose()?,
        community_type: community_type.map(word).transpose()?,
        default_role: match default_role {
            Patch::Keep => Some(DEFAULT_ROLE),
            Patch::Clear => None,
            Patch::Set(role) => Some(role),
        },
    })
}

/// Returns the wire form of an enumeration's value, which is also its stored form.
fn word(value: impl Serialize) -> ApiResult<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Ok(word),
        Ok(other) => Err(ApiError::internal(anyhow::anyhow!("{other} is not a known value"))),
        Err(error) => Err(ApiError::internal(error)),
    }
}
