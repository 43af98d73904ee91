//! What webhooks were told: the log of deliveries.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{EventId, WebhookId};
use quire_domain::webhooks::{DeliveryState, EventKind};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::WebhookRecord;
use super::outbox::TRIES;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::Authorized;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment, stored};

/// A delivery as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryRecord {
    /// The event.
    pub id: EventId,
    /// The webhook.
    pub webhook: WebhookId,
    /// What happened.
    pub kind: EventKind,
    /// The body that is sent.
    pub payload: Value,
    /// What became of it.
    pub state: DeliveryState,
    /// How often it was tried.
    pub attempts: i32,
    /// When it is tried next, while it is pending.
    pub next_attempt_at: Timestamp,
    /// When it was last tried.
    pub last_attempt_at: Option<Timestamp>,
    /// The HTTP status of the last answer.
    pub last_status: Option<i32>,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When it happened.
    pub created_at: Timestamp,
}

#[derive(QueryableByName)]
struct DeliveryRow {
    #[diesel(sql_type = SqlUuid)]
    webhook_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Jsonb)]
    payload: Value,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Integer)]
    attempts: i32,
    #[diesel(sql_type = Timestamptz)]
    next_attempt_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_attempt_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Integer>)]
    last_status: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    last_error: Option<String>,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
}

impl TryFrom<DeliveryRow> for DeliveryRecord {
    type Error = Error;

    fn try_from(row: DeliveryRow) -> Result<Self> {
        Ok(Self {
            id: EventId::from_uuid(row.id),
            webhook: WebhookId::from_uuid(row.webhook_id),
            kind: stored(&row.kind)?,
            payload: row.payload,
            state: stored(&row.state)?,
            attempts: row.attempts,
            next_attempt_at: moment(row.next_attempt_at)?,
            last_attempt_at: row.last_attempt_at.map(moment).transpose()?,
            last_status: row.last_status,
            last_error: row.last_error,
            created_at: moment(row.created_at)?,
        })
    }
}

macro_rules! delivery_columns {
    () => {
        "d.webhook_id, d.id, d.kind, d.payload, d.state, d.attempts, d.next_attempt_at, d.last_attempt_at, d.last_status, \
         d.last_error, d.created_at"
    };
}

macro_rules! filtered {
    () => {
        " FROM webhook_deliveries d WHERE d.organization_id = $1 AND d.webhook_id = $2 AND ($3 IS NULL OR d.state = $3)"
    };
}

statements! {
    FindDelivery = concat!(
        "SELECT ", delivery_columns!(), " FROM webhook_deliveries d \
         WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.id = $3"
    );
    ListDeliveries = concat!(
        "SELECT ", delivery_columns!(), filtered!(), " AND ($4 IS NULL OR d.id < $4) ORDER BY d.id DESC LIMIT $5"
    );
    CountDeliveries = concat!("SELECT count(*) AS total", filtered!());
    ReplayDelivery = concat!(
        "UPDATE webhook_deliveries d SET state = 'pending', tries_left = $4, next_attempt_at = $5 \
         WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.id = $3 RETURNING ", delivery_columns!()
    );
}

impl Reader<'_> {
    /// A delivery to a webhook: one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn delivery(&mut self, webhook: &Authorized<WebhookRecord>, id: EventId) -> Result<DeliveryRecord> {
        let row: Option<DeliveryRow> = FindDelivery::bind((
            val::<SqlUuid, _>(*webhook.organization.as_uuid()),
            val::<SqlUuid, _>(*webhook.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        row.ok_or(Error::NotFound)?.try_into()
    }

    /// The deliveries to a webhook, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn deliveries(
        &mut self,
        webhook: &Authorized<WebhookRecord>,
        state: Option<DeliveryState>,
        below: Option<EventId>,
        limit: u16,
    ) -> Result<Slice<DeliveryRecord>> {
        let (organization, id) = (*webhook.organization.as_uuid(), *webhook.id.as_uuid());
        let state = state.map(DeliveryState::as_str);
        let rows: Vec<DeliveryRow> = ListDeliveries::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<Nullable<Text>, _>(state),
            val::<Nullable<SqlUuid>, _>(below.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountDeliveries::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<Nullable<Text>, _>(state),
        ))
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }
}

impl Tx<'_> {
    /// Has an event sent again, at once and with all its tries, whatever became of it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn replay_delivery(
        &mut self,
        webhook: &Authorized<WebhookRecord>,
        id: EventId,
    ) -> Result<DeliveryRecord> {
        let row: Option<DeliveryRow> = ReplayDelivery::bind((
            val::<SqlUuid, _>(*webhook.organization.as_uuid()),
            val::<SqlUuid, _>(*webhook.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Integer, _>(TRIES),
            self.now_bind(),
        ))
        .get_result(self.connection)
        .optional()?;
        row.ok_or(Error::NotFound)?.try_into()
    }
}
