//! Webhooks.

use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::webhooks::{DeliveryQuery, Webhook, WebhookCreate, WebhookDelivery, WebhookUpdate};

use crate::route::Access::Needs;
use crate::route::Route;
use crate::v1::webhooks::{create, delete, deliveries, get, list, ping, rotate_secret, update};

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
        Route::get(ALL, "listWebhooks", inspect, "List an organization's webhooks", list::handle)
            .query::<PageQuery>()
            .lists::<Webhook>(),
        Route::post(ALL, "createWebhook", administer, "Make a webhook", create::handle)
            .body::<WebhookCreate>()
            .answers::<Webhook>(201),
        Route::get(ONE, "getWebhook", inspect, "Get a webhook", get::handle).answers::<Webhook>(200),
        Route::patch(ONE, "updateWebhook", administer, "Change a webhook", update::handle)
            .body::<WebhookUpdate>()
            .answers::<Webhook>(200),
        Route::delete(ONE, "deleteWebhook", administer, "Delete a webhook", delete::handle).answers_nothing(),
        Route::post(PING, "pingWebhook", administer, "Send a test to a webhook", ping::handle)
            .answers::<WebhookDelivery>(201),
        Route::post(
            SECRET,
            "rotateWebhookSecret",
            administer,
            "Give a webhook another secret",
            rotate_secret::handle,
        )
        .answers::<Webhook>(200),
        Route::get(
            DELIVERIES,
            "listWebhookDeliveries",
            inspect,
            "List what a webhook was told",
            deliveries::list::handle,
        )
        .query::<PageQuery>()
        .query::<DeliveryQuery>()
        .lists::<WebhookDelivery>(),
        Route::get(
            DELIVERY,
            "getWebhookDelivery",
            inspect,
            "Get what a webhook was told",
            deliveries::get::handle,
        )
        .answers::<WebhookDelivery>(200),
        Route::post(
            REPLAY,
            "replayWebhookDelivery",
            administer,
            "Tell a webhook again",
            deliveries::replay::handle,
        )
        .answers::<WebhookDelivery>(200),
    ]
}
