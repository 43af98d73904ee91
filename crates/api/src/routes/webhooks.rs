//! Webhooks.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::webhooks::{DeliveryQuery, Webhook, WebhookCreate, WebhookDelivery, WebhookUpdate};

use crate::route::Access::Needs;
use crate::route::{Object, Resource, Route, Tag};
use crate::v1::webhooks::{create, delete, deliveries, get, list, ping, rotate_secret, update};

const ALL: Resource = Tag::Webhooks.at("/v1/orgs/{organizationId}/webhooks", Some(Object::Organization));
const ONE: Resource =
    Tag::Webhooks.at("/v1/orgs/{organizationId}/webhooks/{webhookId}", Some(Object::Webhook));
const PING: Resource =
    Tag::Webhooks.at("/v1/orgs/{organizationId}/webhooks/{webhookId}/ping", Some(Object::Webhook));
const SECRET: Resource =
    Tag::Webhooks.at("/v1/orgs/{organizationId}/webhooks/{webhookId}/rotate-secret", Some(Object::Webhook));
const DELIVERIES: Resource =
    Tag::Webhooks.at("/v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries", Some(Object::Webhook));
const DELIVERY: Resource = Tag::Webhooks.at(
    "/v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}",
    Some(Object::WebhookDelivery),
);
const REPLAY: Resource = Tag::Webhooks.at(
    "/v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay",
    Some(Object::WebhookDelivery),
);

pub(super) fn routes() -> Vec<Route> {
    let (inspect, administer) = (Needs(Action::InspectOrganization), Needs(Action::AdministerOrganization));
    vec![
        Route::get(ALL, "listWebhooks", inspect, "List an organization's webhooks", list::list_webhooks)
            .query::<PageQuery>()
            .lists::<Webhook>(),
        Route::post(ALL, "createWebhook", administer, "Create a webhook", create::create_webhook)
            .body::<WebhookCreate>()
            .answers::<Webhook>(201),
        Route::get(ONE, "getWebhook", inspect, "Get a webhook", get::get_webhook).answers::<Webhook>(200),
        Route::patch(ONE, "updateWebhook", administer, "Update a webhook", update::update_webhook)
            .body::<WebhookUpdate>()
            .answers::<Webhook>(200),
        Route::delete(ONE, "deleteWebhook", administer, "Delete a webhook", delete::delete_webhook)
            .answers_nothing(),
        Route::post(PING, "pingWebhook", administer, "Send a test event to a webhook", ping::ping_webhook)
            .answers::<WebhookDelivery>(201),
        Route::post(
            SECRET,
            "rotateWebhookSecret",
            administer,
            "Rotate a webhook's secret",
            rotate_secret::rotate_webhook_secret,
        )
        .answers::<Webhook>(200),
        Route::get(
            DELIVERIES,
            "listWebhookDeliveries",
            inspect,
            "List a webhook's deliveries",
            deliveries::list::list_webhook_deliveries,
        )
        .query::<PageQuery>()
        .query::<DeliveryQuery>()
        .lists::<WebhookDelivery>(),
        Route::get(
            DELIVERY,
            "getWebhookDelivery",
            inspect,
            "Get a webhook delivery",
            deliveries::get::get_webhook_delivery,
        )
        .answers::<WebhookDelivery>(200),
        Route::post(
            REPLAY,
            "replayWebhookDelivery",
            administer,
            "Redeliver a webhook event",
            deliveries::replay::replay_webhook_delivery,
        )
        .answers::<WebhookDelivery>(200),
    ]
}
