//! `POST /v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay`

use actix_web::HttpResponse;
use quire_domain::ids::{EventId, OrganizationId, WebhookId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Sends an event again, whatever the state of its delivery is.
pub async fn replay_webhook_delivery(
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
