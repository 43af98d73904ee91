//! `PATCH /v1/orgs/{organizationId}/webhooks/{webhookId}`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::policy::Action;
use quire_domain::webhooks::WebhookUpdate;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Updates the URL, the events and the state of a webhook.
pub async fn update_webhook(
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
