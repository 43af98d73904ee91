//! `GET /v1/orgs/{organizationId}/webhooks/{webhookId}/deliveries`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::webhooks::DeliveryQuery;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the deliveries of a webhook, newest first.
pub async fn list_webhook_deliveries(
    Caller(caller): Caller,
    Path((organization, webhook)): Path<(OrganizationId, WebhookId)>,
    Query(page): Query<PageQuery>,
    Query(DeliveryQuery { state: wanted }): Query<DeliveryQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::new(format!("deliveries to {webhook} that are {wanted:?}"), &page)?;
    let (below, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(organization)?.authorize(Action::InspectOrganization)?;
            let webhook = reader.webhook(&organization, webhook)?;
            Ok(reader.deliveries(&webhook, wanted, below, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |record| record.id,
        |record| Ok(present::webhook_delivery(&state.urls, organization, record)),
    )
}
