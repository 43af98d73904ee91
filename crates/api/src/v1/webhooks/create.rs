//! `POST /v1/orgs/{organizationId}/webhooks`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::webhooks::WebhookCreate;
use quire_storage::webhooks::NewWebhook;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::state::State;
use crate::{present, respond};

/// Creates a webhook, with the secret that signs its deliveries.
pub async fn create_webhook(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Json(body): Json<WebhookCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let WebhookCreate { url, description, events, active } = body;
    let (url, description) = (url.into_text()?, description.into_text()?);
    let new = NewWebhook { url, description, events, active: active.unwrap_or(true) };
    let (made, secret) = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let made = tx.create_webhook(&organization, new)?;
            let secret = tx.webhook_secret(&made)?;
            Ok((made, secret))
        })
        .await?;
    let made = present::webhook(&state.urls, made, Some(secret));
    respond::created(&made.urls.location, &made)
}
