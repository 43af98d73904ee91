//! `GET /v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{EventId, OrganizationId, WebhookId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns a delivery of a webhook.
pub async fn get_webhook_delivery(
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
