//! `POST /v1/orgs/{organizationId}/webhooks/{webhookId}/rotate-secret`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Rotates the secret of a webhook and returns the new one.
pub async fn rotate_webhook_secret(
    Caller(caller): Caller,
    Path((organization, webhook)): Path<(OrganizationId, WebhookId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    let (changed, secret) = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let found = tx.webhook(&organization, webhook)?;
            let locked = tx.lock_webhook(found)?;
            let changed = tx.rotate_webhook_secret(locked)?;
            let secret = tx.webhook_secret(&changed)?;
            Ok((changed, secret))
        })
        .await?;
    respond::changed(&present::webhook(&state.urls, changed, Some(secret)))
}
