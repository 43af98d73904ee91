//! `PATCH /v1/orgs/{organizationId}/webhooks/{webhookId}`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::policy::Action;
use quire_domain::webhooks::WebhookUpdate;
use quire_storage::webhooks::WebhookChanges;

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
    let WebhookUpdate { url, description, events, active } = body;
    let (url, description) = (url.into_text()?, description.into_text()?);
    let changes = WebhookChanges { url, description, events, active };
    let urls = state.urls.clone();
    let changed = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let found = tx.webhook(&organization, webhook)?;
            let locked = tx.lock_webhook(found)?;
            if_match.check(&present::webhook(&urls, locked.clone().into_inner(), None))?;
            Ok(tx.update_webhook(locked, changes)?)
        })
        .await?;
    respond::changed(&present::webhook(&state.urls, changed, None))
}
