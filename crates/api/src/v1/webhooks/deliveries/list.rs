//! `GET /v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::webhooks::DeliveryQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// What a webhook was, or is to be, told, newest first.
pub async fn handle(
    Caller(caller): Caller,
    Path((organization, webhook)): Path<(OrganizationId, WebhookId)>,
    Query(page): Query<PageQuery>,
    Query(DeliveryQuery { state: wanted }): Query<DeliveryQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = format!("deliveries to {webhook} that are {wanted:?}");
    let below = present::cursor(&list, page.page.as_deref())?;
    let limit = page.limit();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(organization)?.authorize(Action::InspectOrganization)?;
            let webhook = reader.webhook(&organization, webhook)?;
            Ok(reader.deliveries(&webhook, wanted, below, limit)?)
        })
        .await?;
    let list = present::list(
        &list,
        slice,
        |record| record.id,
        |record| Ok(present::webhook_delivery(&state.urls, organization, record)),
    )?;
    respond::ok(&request, &list)
}
