//! Integrations, webhooks and the audit log.

use quire_domain::Organization;
use quire_domain::audit::{AuditActor, AuditEntry, SystemActor};
use quire_domain::ids::OrganizationId;
use quire_domain::integrations::{
    Installation, InstallationTarget, InstallationUrls, Integration, IntegrationPermissions, IntegrationUrls,
    SiteInstallation, SiteInstallationUrls, SpaceInstallation, SpaceInstallationUrls,
};
use quire_domain::object::{IntegrationTag, SystemTag, WebhookDeliveryTag, WebhookTag};
use quire_domain::organizations::OrganizationPermissions;
use quire_domain::policy::{Action, Membership};
use quire_domain::webhooks::{DeliveryFacts, Webhook, WebhookDelivery, WebhookFacts, WebhookUrls};
use quire_storage::lookup::{Authorized, InOrganization};
use quire_storage::operations::audit::RecordedActor;
use quire_storage::operations::integrations::{
    InstallationRecord, IntegrationAt, SiteInstallationRecord, SpaceInstallationRecord,
};

use super::{organization, user};
use crate::error::ApiResult;
use crate::urls::Urls;

/// Returns an integration, as a member of its owner or as another caller. `may_change`: the token allows changes.
///
/// # Errors
/// An error for a stored value of the owner that the API does not know.
pub fn integration(urls: &Urls, found: IntegrationAt, may_change: bool) -> ApiResult<Integration> {
    let IntegrationAt { owner, membership, item } = found;
    let image = |hash: &str| urls.api(format_args!("integrations/{}/images/{hash}", item.name));
    let endpoint = urls.app(format_args!("integrations/{}/run", item.name));
    let urls_of = IntegrationUrls {
        location: urls.api(format_args!("integrations/{}", item.name)),
        icon: item.icon.as_deref().map(image),
        app: urls.app(format_args!("integrations/{}", item.name)),
        assets: urls.api(format_args!("integrations/{}/images", item.name)),
        public_endpoint: endpoint.clone(),
        public_content_endpoint: endpoint,
    };
    Ok(Integration {
        object: IntegrationTag::Tag,
        preview_images: item.previews.iter().map(|hash| image(hash)).collect(),
        urls: urls_of,
        version: u32::try_from(item.version).unwrap_or(1),
        title: item.title,
        description: item.description,
        summary: item.summary,
        target: item.target,
        verified: item.verified,
        visibility: item.visibility,
        scopes: item.scopes,
        categories: item.categories,
        blocks: item.blocks,
        content_sources: item.content_sources,
        configurations: item.configurations,
        external_links: item.external_links,
        owner: seen_by(membership, organization(urls, owner)?),
        permissions: IntegrationPermissions {
            admin: membership.allows(Action::AdministerOrganization) && may_change,
            // Every caller who sees an integration can install it: a public one on any organization, a private one on
            // its owner.
            install: true,
        },
        content_security_policy: item.content_security_policy,
        name: item.name,
    })
}

/// Removes the fields of an organization that only members see.
fn seen_by(membership: Membership, organization: Organization) -> Organization {
    if membership.allows(Action::ViewOrganization) {
        return organization;
    }
    Organization {
        email_domains: Vec::new(),
        billing: None,
        default_content: None,
        permissions: OrganizationPermissions::of(membership, false),
        ..organization
    }
}

/// Returns an installation on an organization.
#[must_use]
pub fn installation(urls: &Urls, organization: OrganizationId, record: InstallationRecord) -> Installation {
    let path = format!("integrations/{}/installations/{}", record.integration_name, record.id);
    let endpoint = urls.app(format_args!("integrations/{}/run/{}", record.integration_name, record.id));
    Installation {
        id: record.id,
        status: record.status(),
        urls: InstallationUrls {
            location: urls.api(&path),
            app: urls.app(format_args!("o/{organization}/{path}")),
            public_endpoint: endpoint.clone(),
            public_content_endpoint: endpoint,
        },
        integration: record.integration_name,
        space_selection: record.space_selection,
        site_selection: record.site_selection,
        spaces: u64::try_from(record.spaces).unwrap_or(0),
        configuration: record.configuration,
        created_at: record.created_at,
        updated_at: record.updated_at,
        external_ids: record.external_ids,
        target: InstallationTarget { organization },
    }
}

/// Returns an installation that was looked up.
#[must_use]
pub fn found_installation(
    urls: &Urls,
    found: &Authorized<InOrganization<InstallationRecord>>,
) -> Installation {
    installation(urls, found.organization.id, found.item.clone())
}

/// Returns an installation on a space.
#[must_use]
pub fn space_installation(
    urls: &Urls,
    installation: &InstallationRecord,
    record: SpaceInstallationRecord,
) -> SpaceInstallation {
    let InstallationRecord { id, integration_name: name, .. } = installation;
    let space = record.target;
    let endpoint = urls.app(format_args!("integrations/{name}/run/{id}/spaces/{space}"));
    SpaceInstallation {
        integration: name.clone(),
        installation: *id,
        space,
        status: record.status(installation),
        configuration: record.configuration,
        external_ids: record.external_ids,
        created_at: record.created_at,
        updated_at: record.updated_at,
        urls: SpaceInstallationUrls {
            location: urls.api(format_args!("integrations/{name}/installations/{id}/spaces/{space}")),
            public_endpoint: endpoint.clone(),
            public_content_endpoint: endpoint,
        },
    }
}

/// Returns an installation on a site.
#[must_use]
pub fn site_installation(
    urls: &Urls,
    installation: &InstallationRecord,
    record: SiteInstallationRecord,
) -> SiteInstallation {
    let InstallationRecord { id, integration_name: name, .. } = installation;
    let site = record.target;
    let endpoint = urls.app(format_args!("integrations/{name}/run/{id}/sites/{site}"));
    SiteInstallation {
        integration: name.clone(),
        installation: *id,
        site,
        status: record.status(installation),
        configuration: record.configuration,
        external_ids: record.external_ids,
        created_at: record.created_at,
        updated_at: record.updated_at,
        urls: SiteInstallationUrls {
            location: urls.api(format_args!("integrations/{name}/installations/{id}/sites/{site}")),
            public_endpoint: endpoint.clone(),
            public_content_endpoint: endpoint,
        },
    }
}

/// Returns a webhook, with the secret only directly after creation or rotation.
#[must_use]
pub fn webhook(urls: &Urls, facts: WebhookFacts, secret: Option<String>) -> Webhook {
    let location = urls.api(format_args!("orgs/{}/webhooks/{}", facts.organization, facts.id));
    Webhook { object: WebhookTag::Tag, facts, secret, urls: WebhookUrls { location } }
}

/// Returns a delivery to a webhook of an organization.
#[must_use]
pub fn webhook_delivery(urls: &Urls, organization: OrganizationId, facts: DeliveryFacts) -> WebhookDelivery {
    let (webhook, id) = (facts.webhook, facts.id);
    let location = urls.api(format_args!("orgs/{organization}/webhooks/{webhook}/deliveries/{id}"));
    WebhookDelivery { object: WebhookDeliveryTag::Tag, facts, urls: WebhookUrls { location } }
}

/// Returns an audit log entry on the wire.
#[must_use]
pub fn audit_entry(urls: &Urls, entry: AuditEntry<RecordedActor>) -> AuditEntry {
    let system = |name: &str| {
        AuditActor::System(SystemActor { object: SystemTag::Tag, display_name: name.to_owned() })
    };
    entry.map_actor(|actor| match actor {
        RecordedActor::User(record) => AuditActor::User(user(urls, &record)),
        RecordedActor::System => system("quire admin"),
        RecordedActor::Scim => system("SCIM"),
    })
}
