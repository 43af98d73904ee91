//! `GET /v1/orgs/{organizationId}/webhooks/{webhookId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns a webhook without its secret.
pub async fn get_webhook(
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
