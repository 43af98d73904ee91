//! Webhooks and their deliveries.

use quire_domain::ids::OrganizationId;
use quire_domain::object::{WebhookDeliveryTag, WebhookTag};
use quire_domain::webhooks::{DeliveryFacts, Webhook, WebhookDelivery, WebhookUrls};
use quire_storage::operations::webhooks::WebhookRecord;

use crate::urls::Urls;

/// Returns a webhook, with the secret only directly after creation or rotation.
#[must_use]
pub fn webhook(urls: &Urls, record: WebhookRecord, secret: Option<String>) -> Webhook {
    let location = urls.api(format_args!("orgs/{}/webhooks/{}", record.organization, record.id));
    Webhook {
        object: WebhookTag::Tag,
        id: record.id,
        organization: record.organization,
        url: record.url,
        description: record.description,
        events: record.events,
        active: record.active,
        secret,
        created_at: record.created_at,
        updated_at: record.updated_at,
        urls: WebhookUrls { location },
    }
}

/// Returns a delivery to a webhook of an organization.
#[must_use]
pub fn webhook_delivery(urls: &Urls, organization: OrganizationId, facts: DeliveryFacts) -> WebhookDelivery {
    let (webhook, id) = (facts.webhook, facts.id);
    let location = urls.api(format_args!("orgs/{organization}/webhooks/{webhook}/deliveries/{id}"));
    WebhookDelivery { object: WebhookDeliveryTag::Tag, facts, urls: WebhookUrls { location } }
}
