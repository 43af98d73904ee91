//! What is due to be delivered, and what became of it.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::ids::{EventId, OrganizationId, WebhookId};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::secret::{KEY, secret};
use crate::Result;
use crate::statement::{Sql, statements, val};
use crate::system::{SystemReader, SystemTx};

/// How often an event is tried: with the pauses between, for about five hours.
pub(crate) const TRIES: i32 = 12;
/// The first pause after a failure; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
/// How much of an error's text is kept.
const ERROR_CHARS: usize = 500;
/// Old deliveries that one statement removes.
const SWEEP: i64 = 10_000;

/// A webhook that this node delivers to for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedWebhook {
    /// The organization.
    pub organization: OrganizationId,
    /// The webhook.
    pub id: WebhookId,
    /// Where events are sent.
    pub url: String,
    /// What signs its deliveries.
    pub secret: String,
    /// When the lease is over: it tells this holder from others.
    until: OffsetDateTime,
}

/// An event that is due to be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct DueDelivery {
    /// The event.
    pub id: EventId,
    /// Its kind.
    pub kind: String,
    /// The body to send.
    pub payload: Value,
    /// How often it was tried since it was written or replayed.
    pub tries: i32,
}

/// How an attempt to deliver ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The HTTP status, when there was an answer.
    pub status: Option<u16>,
    /// Why it failed; `None` when it didn't.
    pub error: Option<String>,
    /// Whether a failure may pass, so that another attempt is worth it.
    pub again: bool,
}

#[derive(QueryableByName)]
struct LeasedRow {
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Integer)]
    secret_version: i32,
    #[diesel(sql_type = Timestamptz)]
    leased_until: OffsetDateTime,
}

#[derive(QueryableByName)]
struct DueRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Jsonb)]
    payload: Value,
    #[diesel(sql_type = Integer)]
    tries_left: i32,
}

statements! {
    LeaseWebhooks = "UPDATE webhooks w SET leased_until = $2 FROM ( \
                       SELECT h.organization_id, h.id FROM webhooks h \
                       WHERE (h.leased_until IS NULL OR h.leased_until <= $1) AND EXISTS ( \
                         SELECT 1 FROM webhook_deliveries d WHERE d.organization_id = h.organization_id AND d.webhook_id = h.id \
                         AND d.state = 'pending' AND d.next_attempt_at <= $1) \
                       ORDER BY h.leased_until NULLS FIRST LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED) due \
                     WHERE w.organization_id = due.organization_id AND w.id = due.id \
                     RETURNING w.organization_id, w.id, w.url, w.secret_version, w.leased_until";
    // Not null: of those that wait, who was served last waits longest.
    ReleaseWebhook = "UPDATE webhooks SET leased_until = $3 WHERE organization_id = $1 AND id = $2 AND leased_until = $4";
    DueDeliveries = "SELECT id, kind, payload, tries_left FROM webhook_deliveries \
                     WHERE organization_id = $1 AND webhook_id = $2 AND state = 'pending' AND next_attempt_at <= $3 \
                     ORDER BY next_attempt_at, id LIMIT $4";
    Delivered = "UPDATE webhook_deliveries SET state = 'succeeded', attempts = attempts + 1, last_attempt_at = $4, last_status = $5, \
                 last_error = NULL WHERE organization_id = $1 AND webhook_id = $2 AND id = $3 AND state = 'pending'";
    NotDelivered = "UPDATE webhook_deliveries SET attempts = attempts + 1, tries_left = tries_left - 1, last_attempt_at = $4, \
                    last_status = $5, last_error = $6, next_attempt_at = $7, \
                    state = CASE WHEN $8 = 0 OR tries_left <= 1 THEN 'failed' ELSE 'pending' END \
                    WHERE organization_id = $1 AND webhook_id = $2 AND id = $3 AND state = 'pending'";
    SweepDeliveries = "DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY ( \
                         SELECT ctid FROM webhook_deliveries WHERE state <> 'pending' AND created_at < $1 LIMIT $2))";
}

impl SystemReader<'_> {
    /// What is due to be sent to a webhook, the oldest first.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn due_deliveries(&mut self, webhook: &LeasedWebhook, limit: u16) -> Result<Vec<DueDelivery>> {
        let rows: Vec<DueRow> = DueDeliveries::bind((
            val::<SqlUuid, _>(*webhook.organization.as_uuid()),
            val::<SqlUuid, _>(*webhook.id.as_uuid()),
            self.now_bind(),
            val::<BigInt, _>(i64::from(limit)),
        ))
        .load(self.connection)?;
        let due = |row: DueRow| DueDelivery {
            id: EventId::from_uuid(row.id),
            kind: row.kind,
            payload: row.payload,
            tries: TRIES.saturating_sub(row.tries_left),
        };
        Ok(rows.into_iter().map(due).collect())
    }
}

impl SystemTx<'_> {
    /// Takes webhooks that something is due for, those that were served longest ago first. No other node has them until they
    /// are released or the lease is over.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn lease_webhooks(&mut self, limit: u16, lease: Duration) -> Result<Vec<LeasedWebhook>> {
        let rows: Vec<LeasedRow> = LeaseWebhooks::bind((
            self.now_bind(),
            val::<Timestamptz, _>(OffsetDateTime::from(self.now) + lease),
            val::<BigInt, _>(i64::from(limit)),
        ))
        .load(self.connection)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let key = self.deployment_key(KEY)?;
        let leased = |row: LeasedRow| {
            let id = WebhookId::from_uuid(row.id);
            LeasedWebhook {
                organization: OrganizationId::from_uuid(row.organization_id),
                id,
                url: row.url,
                secret: secret(&key, id, row.secret_version),
                until: row.leased_until,
            }
        };
        Ok(rows.into_iter().map(leased).collect())
    }

    /// Lets others have a webhook, unless they have it already because the lease was over.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn release_webhook(&mut self, webhook: &LeasedWebhook) -> Result<()> {
        ReleaseWebhook::bind((
            val::<SqlUuid, _>(*webhook.organization.as_uuid()),
            val::<SqlUuid, _>(*webhook.id.as_uuid()),
            self.now_bind(),
            val::<Timestamptz, _>(webhook.until),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Writes how an attempt ended, unless another holder has written that the event arrived or was given up. A failure that may pass is tried again after a pause that doubles up to an hour.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn attempted(&mut self, webhook: &LeasedWebhook, due: &DueDelivery, attempt: &Attempt) -> Result<()> {
        let organization = val::<SqlUuid, _>(*webhook.organization.as_uuid());
        let id = val::<SqlUuid, _>(*webhook.id.as_uuid());
        let event = val::<SqlUuid, _>(*due.id.as_uuid());
        let status = val::<Nullable<Integer>, _>(attempt.status.map(i32::from));
        let now = self.now_bind();
        match &attempt.error {
            None => Delivered::bind((organization, id, event, now, status)).execute(self.connection)?,
            Some(error) => {
                let error: String = error.chars().filter(|c| *c != '\0').take(ERROR_CHARS).collect();
                let next = OffsetDateTime::from(self.now) + pause(due.tries);
                NotDelivered::bind((
                    organization,
                    id,
                    event,
                    now,
                    status,
                    val::<Text, _>(error),
                    val::<Timestamptz, _>(next),
                    val::<Integer, _>(i32::from(attempt.again)),
                ))
                .execute(self.connection)?
            }
        };
        Ok(())
    }

    /// Forgets deliveries that ended longer than `age` ago, a batch of them. Answers how many.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn sweep_deliveries(&mut self, age: Duration) -> Result<usize> {
        let before = OffsetDateTime::from(self.now) - age;
        let swept = SweepDeliveries::bind((val::<Timestamptz, _>(before), val::<BigInt, _>(SWEEP)));
        Ok(swept.execute(self.connection)?)
    }
}

/// How long to wait after this many earlier tries and one more that failed.
fn pause(tries: i32) -> Duration {
    2_u32
        .checked_pow(u32::try_from(tries).unwrap_or(0))
        .and_then(|factor| FIRST_PAUSE.checked_mul(factor))
        .map_or(LONGEST_PAUSE, |pause| pause.min(LONGEST_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_an_hour() {
        for (attempts, seconds) in [(0, 10), (1, 20), (2, 40), (8, 2_560), (9, 3_600), (i32::MAX, 3_600)] {
            assert_eq!(pause(attempts), Duration::from_secs(seconds), "{attempts}");
        }
    }
}
