//! Webhooks.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::webhooks::{DeliveryQuery, Webhook, WebhookCreate, WebhookDelivery, WebhookUpdate};

use super::{delete, get, patch, post};
use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1::webhooks::{
    create, delete as remove, deliveries, get as read, list, ping, rotate_secret, update,
};

const ALL: &str = "/v1/orgs/{organizationId}/webhooks";
const ONE: &str = "/v1/orgs/{organizationId}/webhooks/{webhookId}";
const PING: &str = "/v1/orgs/{organizationId}/webhooks/{webhookId}/ping";
const SECRET: &str = "/v1/orgs/{organizationId}/webhooks/{webhookId}/rotate-secret";
const DELIVERIES: &str = "/v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries";
const DELIVERY: &str = "/v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}";
const REPLAY: &str = "/v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay";

pub(super) fn routes() -> Vec<Route> {
    let (inspect, administer) = (Needs(Action::InspectOrganization), Needs(Action::AdministerOrganization));
    vec![
        get(ALL, "listWebhooks", inspect, "List an organization's webhooks", list::handle)
            .query::<PageQuery>()
            .lists::<Webhook>(),
        post(ALL, "createWebhook", administer, "Make a webhook", create::handle)
            .body::<WebhookCreate>()
            .answers::<Webhook>(201),
        get(ONE, "getWebhook", inspect, "Get a webhook", read::handle).answers::<Webhook>(200),
        patch(ONE, "updateWebhook", administer, "Change a webhook", update::handle)
            .body::<WebhookUpdate>()
            .answers::<Webhook>(200),
        delete(ONE, "deleteWebhook", administer, "Delete a webhook", remove::handle).answers_nothing(),
        post(PING, "pingWebhook", administer, "Send a test to a webhook", ping::handle)
            .answers::<WebhookDelivery>(201),
        post(
            SECRET,
            "rotateWebhookSecret",
            administer,
            "Give a webhook another secret",
            rotate_secret::handle,
        )
        .answers::<Webhook>(200),
        get(
            DELIVERIES,
            "listWebhookDeliveries",
            inspect,
            "List what a webhook was told",
            deliveries::list::handle,
        )
        .query::<PageQuery>()
        .query::<DeliveryQuery>()
        .lists::<WebhookDelivery>(),
        get(DELIVERY, "getWebhookDelivery", inspect, "Get what a webhook was told", deliveries::get::handle)
            .answers::<WebhookDelivery>(200),
        post(REPLAY, "replayWebhookDelivery", administer, "Tell a webhook again", deliveries::replay::handle)
            .answers::<WebhookDelivery>(200),
    ]
}
