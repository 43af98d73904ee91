//! Log of webhook deliveries.

use diesel::prelude::*;
use quire_domain::ids::EventId;
use quire_domain::webhooks::{DeliveryFacts, DeliveryState, WebhookFacts};

use super::outbox::TRIES;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::operations::jobs::shared_time;
use crate::schema::webhook_deliveries;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

impl Reader<'_> {
    /// Returns a delivery to a webhook. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn delivery(&mut self, webhook: &Authorized<WebhookFacts>, id: EventId) -> Result<DeliveryFacts> {
        webhook_deliveries::table
            .find((webhook.organization, webhook.id, id))
            .select(DeliveryFacts::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)
    }

    /// Returns the deliveries to a webhook, newest first. Takes two statements.
    pub fn deliveries(
        &mut self,
        webhook: &Authorized<WebhookFacts>,
        state: Option<DeliveryState>,
        after: Option<EventId>,
        limit: u16,
    ) -> Result<Slice<DeliveryFacts>> {
        let matching = || {
            let mut matching = webhook_deliveries::table
                .filter(webhook_deliveries::organization_id.eq(webhook.organization))
                .filter(webhook_deliveries::webhook_id.eq(webhook.id))
                .into_boxed();
            if let Some(state) = state {
                matching = matching.filter(webhook_deliveries::state.eq(state.as_str()));
            }
            matching
        };
        let deliveries = matching()
            .filter(webhook_deliveries::id.lt(page_end(after)))
            .order(webhook_deliveries::id.desc())
            .limit(fetch_limit(limit))
            .select(DeliveryFacts::as_select())
            .load(self.connection)?;
        let total = matching().count().get_result(self.connection)?;
        Ok(Slice::cut(deliveries, limit, total))
    }
}

impl Tx<'_> {
    /// Makes a delivery pending again, due immediately and with all its attempts.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn replay_delivery(
        &mut self,
        webhook: &Authorized<WebhookFacts>,
        id: EventId,
    ) -> Result<DeliveryFacts> {
        let delivery = webhook_deliveries::table.find((webhook.organization, webhook.id, id));
        diesel::update(delivery)
            .set((
                webhook_deliveries::state.eq(DeliveryState::Pending.as_str()),
                webhook_deliveries::tries_left.eq(TRIES),
                webhook_deliveries::next_attempt_at.eq(shared_time(self.lease_time())),
            ))
            .returning(DeliveryFacts::as_returning())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)
    }
}
