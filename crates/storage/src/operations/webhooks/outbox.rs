//! Due deliveries and the results of attempts.

use std::time::Duration;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{EventId, OrganizationId, WebhookId};
use quire_domain::webhooks::DeliveryState;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::secret::{KEY, secret};
use crate::Result;
use crate::operations::jobs::{millis, shared_time};
use crate::operations::outbox::{Attempt, pause};
use crate::schema::webhook_deliveries;
use crate::system::{SystemReader, SystemTx};

/// Maximum number of attempts per event. With the pauses between them, they take about five hours.
pub(crate) const TRIES: i32 = 12;
/// Maximum number of old deliveries that one statement removes.
const SWEEP: i64 = 10_000;

/// Webhook to which only this node delivers until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedWebhook {
    /// Organization.
    pub organization: OrganizationId,
    /// Webhook.
    pub id: WebhookId,
    /// URL to which events are sent.
    pub url: String,
    /// Secret that signs the deliveries.
    pub secret: String,
    /// End of the lease, which identifies its holder.
    until: OffsetDateTime,
}

/// Event that is due to be sent.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries, check_for_backend(Pg))]
pub struct DueDelivery {
    /// Event.
    pub id: EventId,
    /// Kind.
    pub kind: String,
    /// Body to send.
    pub payload: Value,
    /// Number of remaining attempts.
    tries_left: i32,
}

impl DueDelivery {
    /// Returns the number of attempts since the delivery was written or replayed.
    #[must_use]
    pub fn tries(&self) -> i32 {
        TRIES.saturating_sub(self.tries_left)
    }
}

sql_files! {
    LeaseWebhooks(Nullable<Timestamptz>, BigInt, BigInt)
        -> (SqlUuid, SqlUuid, Text, Integer, Timestamptz) = "lease.sql";
    ExtendWebhookLease(SqlUuid, SqlUuid, Timestamptz, Nullable<Timestamptz>, BigInt) -> (Timestamptz,)
        = "extend.sql";
    WriteFailure(
        SqlUuid, SqlUuid, SqlUuid, Bool, Timestamptz, Nullable<Integer>, Text, Nullable<Timestamptz>, BigInt,
    ) = "failed.sql";
    SweepDeliveries(Timestamptz, BigInt) = "sweep.sql";
}

impl SystemReader<'_> {
    /// Returns the due deliveries to a webhook, oldest first.
    pub fn due_deliveries(&mut self, webhook: &LeasedWebhook, limit: u16) -> Result<Vec<DueDelivery>> {
        let rows = webhook_deliveries::table
            .filter(webhook_deliveries::organization_id.eq(webhook.organization))
            .filter(webhook_deliveries::webhook_id.eq(webhook.id))
            .filter(webhook_deliveries::state.eq(DeliveryState::Pending.as_str()))
            .filter(webhook_deliveries::next_attempt_at.le(shared_time(self.lease_time())))
            .order((webhook_deliveries::next_attempt_at, webhook_deliveries::id))
            .limit(limit.into())
            .select(DueDelivery::as_select())
            .load(self.connection)?;
        Ok(rows)
    }
}

impl SystemTx<'_> {
    /// Leases webhooks with due deliveries, least recently leased first. No other node gets them until they are
    /// released or the lease ends.
    pub fn lease_webhooks(&mut self, limit: u16, lease: Duration) -> Result<Vec<LeasedWebhook>> {
        let rows: Vec<(Uuid, Uuid, String, i32, OffsetDateTime)> =
            LeaseWebhooks::bind((self.lease_time(), millis(lease), i64::from(limit)))
                .load(self.connection)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let key = self.deployment_key(KEY)?;
        let leased = rows.into_iter().map(|(organization, id, url, secret_version, until)| {
            let id = WebhookId::from_uuid(id);
            let secret = secret(&key, id, secret_version);
            LeasedWebhook { organization: organization.into(), id, url, secret, until }
        });
        Ok(leased.collect())
    }

    /// Ends the lease of a webhook, unless another node has leased it since.
    pub fn release_webhook(&mut self, webhook: &LeasedWebhook) -> Result<()> {
        // Not null: `LeaseWebhooks` orders by the end of the last lease.
        self.set_lease(webhook, Duration::ZERO).map(drop)
    }

    /// Extends the lease of a webhook to `lease` from now. Returns the webhook with the new lease; `None` if another
    /// node has leased it.
    pub fn extend_webhook(
        &mut self,
        webhook: &LeasedWebhook,
        lease: Duration,
    ) -> Result<Option<LeasedWebhook>> {
        let until = self.set_lease(webhook, lease)?;
        Ok(until.map(|until| LeasedWebhook { until, ..webhook.clone() }))
    }

    fn set_lease(&mut self, webhook: &LeasedWebhook, lease: Duration) -> Result<Option<OffsetDateTime>> {
        let (organization, id) = (webhook.organization, webhook.id);
        let lease = (organization, id, webhook.until, self.lease_time(), millis(lease));
        let set = ExtendWebhookLease::bind(lease).get_result(self.connection).optional()?;
        Ok(set.map(|(until,)| until))
    }

    /// Writes the result of an attempt, unless another holder has ended the delivery. After a transient failure, the
    /// pause before the next attempt doubles up to an hour.
    pub fn attempted(&mut self, webhook: &LeasedWebhook, due: &DueDelivery, attempt: &Attempt) -> Result<()> {
        let now = self.now;
        let status = attempt.stored_status();
        let (organization, id) = (webhook.organization, webhook.id);
        let Some(error) = attempt.stored_error() else {
            let delivery = webhook_deliveries::table
                .find((organization, id, due.id))
                .filter(webhook_deliveries::state.eq(DeliveryState::Pending.as_str()));
            diesel::update(delivery)
                .set((
                    webhook_deliveries::state.eq(DeliveryState::Succeeded.as_str()),
                    webhook_deliveries::attempts.eq(webhook_deliveries::attempts + 1),
                    webhook_deliveries::last_attempt_at.eq(now),
                    webhook_deliveries::last_status.eq(status),
                    webhook_deliveries::last_error.eq(None::<String>),
                ))
                .execute(self.connection)?;
            return Ok(());
        };
        let (time, pause) = (self.lease_time(), millis(pause(due.tries())));
        let failure = (organization, id, due.id, attempt.again, now, status, error, time, pause);
        WriteFailure::bind(failure).execute(self.connection)?;
        Ok(())
    }

    /// Deletes a batch of deliveries that ended longer than `age` ago, and returns their number.
    pub fn sweep_deliveries(&mut self, age: Duration) -> Result<usize> {
        let before = OffsetDateTime::from(self.now) - age;
        Ok(SweepDeliveries::bind((before, SWEEP)).execute(self.connection)?)
    }
}
