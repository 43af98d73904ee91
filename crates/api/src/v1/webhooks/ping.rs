//! `POST /v1/orgs/{organizationId}/webhooks/{webhookId}/ping`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Sends a test event to a webhook.
pub async fn ping_webhook(
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
