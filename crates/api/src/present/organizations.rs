//! Organizations.

use quire_domain::Organization;
use quire_domain::object::OrganizationTag;
use quire_domain::organizations::{Blocked, OrganizationPermissions, OrganizationUrls, Trial};
use quire_domain::policy::Action;
use quire_storage::people::organizations::OrganizationRecord;
use serde::de::{DeserializeOwned, IntoDeserializer, value::Error as WordError};
use serde_json::Value;

use crate::error::{ApiError, ApiResult};
use crate::urls::Urls;

/// Returns an organization as a member sees it, or a user who finds it.
///
/// # Errors
/// A stored value that the API does not know.
pub fn organization(urls: &Urls, record: OrganizationRecord) -> ApiResult<Organization> {
    let membership = record.membership();
    let views_billing = membership.allows(Action::ViewBilling);
    Ok(Organization {
        object: OrganizationTag::Tag,
        id: record.id,
        title: record.title,
        created_at: record.created_at,
        email_domains: record.email_domains,
        hostname: record.hostname,
        organization_type: word(&record.kind)?,
        use_case: record.use_case.as_deref().map(word).transpose()?,
        community_type: record.community_type.as_deref().map(word).transpose()?,
        default_role: record.default_role,
        default_content: record.default_content.map(json).transpose()?,
        sso: Some(record.sso),
        second_factor_required: record.second_factor_required,
        ai: Some(record.ai),
        invite_links: record.invite_links,
        plan: word(&record.plan)?,
        billing: record.billing.filter(|_| views_billing).map(json).transpose()?,
        merge_rules: record.merge_rules.filter(|_| record.is_member).unwrap_or_default(),
        urls: OrganizationUrls {
            location: urls.api(format_args!("orgs/{}", record.id)),
            app: urls.app(format_args!("o/{}", record.id)),
            logo: record.logo,
        },
        trial: trial(record.trial)?,
        custom_hostname: record.custom_hostname,
        blocked: record
            .blocked_reason
            .as_deref()
            .map(|reason| Ok::<_, ApiError>(Blocked { reason: word(reason)? }))
            .transpose()?,
        internal_is_on_new_trial: Some(true),
        internal_billing_migration: record
            .billing_migration
            .filter(|_| views_billing)
            .map(json)
            .transpose()?,
        permissions: OrganizationPermissions::of(membership, record.owns_team),
    })
}

/// Returns a trial. Operators store its status, and may store a number.
fn trial(stored: Value) -> ApiResult<Trial> {
    let trial: Trial = json(stored)?;
    Ok(Trial { count: trial.count.max(trial.status.least_count()), ..trial })
}

fn word<T: DeserializeOwned>(stored: &str) -> ApiResult<T> {
    T::deserialize(IntoDeserializer::<WordError>::into_deserializer(stored)).map_err(ApiError::internal)
}

fn json<T: DeserializeOwned>(stored: Value) -> ApiResult<T> {
    serde_json::from_value(stored).map_err(ApiError::internal)
}
