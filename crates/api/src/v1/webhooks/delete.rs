//! `DELETE /v1/orgs/{organizationId}/webhooks/{webhookId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes a webhook with its deliveries. Pending events are not sent.
pub async fn delete_webhook(
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
