//! Webhooks.

use quire_domain::webhooks::{DeliveryQuery, Webhook, WebhookCreate, WebhookDelivery, WebhookUpdate};

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource = Tag::Webhooks.at("/v1/orgs/{organizationId}/webhooks", Some(Object::Organization));
    const ONE: Resource =
        Tag::Webhooks.at("/v1/orgs/{organizationId}/webhooks/{webhookId}", Some(Object::Webhook));
    const PING: Resource =
        Tag::Webhooks.at("/v1/orgs/{organizationId}/webhooks/{webhookId}/ping", Some(Object::Webhook));
    const SECRET: Resource = Tag::Webhooks
        .at("/v1/orgs/{organizationId}/webhooks/{webhookId}/rotate-secret", Some(Object::Webhook));
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
    let inspect = Needs(Action::InspectOrganization);
    let administer = Needs(Action::AdministerOrganization);
    vec![
        Route::get(ALL, inspect, "List an organization's webhooks", list_webhooks)
            .query::<PageQuery>()
            .lists::<Webhook>(),
        Route::post(ALL, administer, "Create a webhook", create_webhook)
            .body::<WebhookCreate>()
            .answers::<Webhook>(201),
        Route::get(ONE, inspect, "Get a webhook", get_webhook).answers::<Webhook>(200),
        Route::patch(ONE, administer, "Update a webhook", update_webhook)
            .body::<WebhookUpdate>()
            .answers::<Webhook>(200),
        Route::delete(ONE, administer, "Delete a webhook", delete_webhook).answers_nothing(),
        Route::post(PING, administer, "Send a test event to a webhook", ping_webhook)
            .answers::<WebhookDelivery>(201),
        Route::post(SECRET, administer, "Rotate a webhook's secret", rotate_webhook_secret)
            .answers::<Webhook>(200),
        Route::get(DELIVERIES, inspect, "List a webhook's deliveries", list_webhook_deliveries)
            .query::<PageQuery>()
            .query::<DeliveryQuery>()
            .lists::<WebhookDelivery>(),
        Route::get(DELIVERY, inspect, "Get a webhook delivery", get_webhook_delivery)
            .answers::<WebhookDelivery>(200),
        Route::post(REPLAY, administer, "Redeliver a webhook event", replay_webhook_delivery)
            .answers::<WebhookDelivery>(200),
    ]
}

async fn list_webhooks(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::new(format!("webhooks of {organization}"), &page)?;
    let (below, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(organization)?.authorize(Action::InspectOrganization)?;
            Ok(reader.webhooks(&organization, below, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |record| record.id,
        |record| Ok(present::webhook(&state.urls, record, None)),
    )
}

async fn create_webhook(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Json(body): Json<WebhookCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let (made, secret) = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.create_webhook(&organization, body)?)
        })
        .await?;
    let made = present::webhook(&state.urls, made, Some(secret));
    respond::created(&made.urls.location, &made)
}

async fn get_webhook(
    Caller(caller): Caller,
    Path((organization, webhook)): Path<(OrganizationId, WebhookId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let found = state
        .read(caller, move |reader| {
            let organization = reader.organization(organization)?.authorize(Action::InspectOrganization)?;
            Ok(reader.webhook(&organization, webhook)?.into_inner())
        })
        .await?;
    respond::ok(&request, &present::webhook(&state.urls, found, None))
}

async fn update_webhook(
    Caller(caller): Caller,
    Path((organization, webhook)): Path<(OrganizationId, WebhookId)>,
    OptionalJson(body): OptionalJson<WebhookUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let changed = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let found = tx.webhook(&organization, webhook)?;
            let locked = tx.lock_webhook(found)?;
            if_match.check(&present::webhook(&urls, locked.clone().into_inner(), None))?;
            Ok(tx.update_webhook(locked, body)?)
        })
        .await?;
    respond::changed(&present::webhook(&state.urls, changed, None))
}

async fn delete_webhook(
    Caller(caller): Caller,
    Path((organization, webhook)): Path<(OrganizationId, WebhookId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let webhook = tx.webhook(&organization, webhook)?;
            Ok(tx.delete_webhook(&webhook)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn ping_webhook(
    Caller(caller): Caller,
    Path((organization, webhook)): Path<(OrganizationId, WebhookId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    let made = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let webhook = tx.webhook(&organization, webhook)?;
            let event = tx.ping_webhook(&webhook)?;
            Ok(tx.delivery(&webhook, event)?)
        })
        .await?;
    let made = present::webhook_delivery(&state.urls, organization, made);
    respond::created(&made.urls.location, &made)
}

async fn rotate_webhook_secret(
    Caller(caller): Caller,
    Path((organization, webhook)): Path<(OrganizationId, WebhookId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    let (changed, secret) = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let found = tx.webhook(&organization, webhook)?;
            let locked = tx.lock_webhook(found)?;
            Ok(tx.rotate_webhook_secret(&locked)?)
        })
        .await?;
    respond::changed(&present::webhook(&state.urls, changed, Some(secret)))
}

async fn list_webhook_deliveries(
    Caller(caller): Caller,
    Path((organization, webhook)): Path<(OrganizationId, WebhookId)>,
    Query(page): Query<PageQuery>,
    Query(DeliveryQuery { state: wanted }): Query<DeliveryQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::new(format!("deliveries to {webhook} that are {wanted:?}"), &page)?;
    let (below, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(organization)?.authorize(Action::InspectOrganization)?;
            let webhook = reader.webhook(&organization, webhook)?;
            Ok(reader.deliveries(&webhook, wanted, below, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |record| record.id,
        |record| Ok(present::webhook_delivery(&state.urls, organization, record)),
    )
}

async fn get_webhook_delivery(
    Caller(caller): Caller,
    Path((organization, webhook, delivery)): Path<(OrganizationId, WebhookId, EventId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let found = state
        .read(caller, move |reader| {
            let organization = reader.organization(organization)?.authorize(Action::InspectOrganization)?;
            let webhook = reader.webhook(&organization, webhook)?;
            Ok(reader.delivery(&webhook, delivery)?)
        })
        .await?;
    respond::ok(&request, &present::webhook_delivery(&state.urls, organization, found))
}

async fn replay_webhook_delivery(
    Caller(caller): Caller,
    Path((organization, webhook, delivery)): Path<(OrganizationId, WebhookId, EventId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    let replayed = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let webhook = tx.webhook(&organization, webhook)?;
            Ok(tx.replay_delivery(&webhook, delivery)?)
        })
        .await?;
    respond::changed(&present::webhook_delivery(&state.urls, organization, replayed))
}
