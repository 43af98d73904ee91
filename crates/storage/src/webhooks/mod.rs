//! Webhooks: kept, told of events, and delivered to.
//!
//! An event is written for each webhook that hears it in the transaction that makes it, so that none is told of what was rolled
//! back and none misses what was done. Delivering is a node's own loop over leases, not jobs: one node at a time delivers to a
//! webhook, so that a receiver that is slow or away holds up its own deliveries and nobody else's.

mod deliveries;
mod events;
mod outbox;
mod secret;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::bounds::WEBHOOKS_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::patch::Patch;
use quire_domain::webhooks::EventKind;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, OrganizationRecord};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment, stored};

pub use deliveries::DeliveryRecord;
pub(crate) use events::{Event, write_events};
pub(crate) use outbox::TRIES as DELIVERY_TRIES;
pub use outbox::{Attempt, DueDelivery, LeasedWebhook};

/// A webhook as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRecord {
    /// Its id.
    pub id: WebhookId,
    /// The organization whose events it hears.
    pub organization: OrganizationId,
    /// Where events are sent.
    pub url: String,
    /// What it is for.
    pub description: Option<String>,
    /// The events it hears.
    pub events: Vec<EventKind>,
    /// Whether it hears anything.
    pub active: bool,
    /// Which of its secrets it has now: from 1.
    pub secret_version: i32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What a webhook is made of.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Where events are sent.
    pub url: String,
    /// What it is for.
    pub description: Option<String>,
    /// The events it hears.
    pub events: Vec<EventKind>,
    /// Whether it begins at once.
    pub active: bool,
}

/// What may be changed of a webhook; `None` keeps.
#[derive(Clone, Debug, Default)]
pub struct WebhookChanges {
    /// Where events are sent.
    pub url: Option<String>,
    /// What it is for.
    pub description: Patch<String>,
    /// The events it hears.
    pub events: Option<Vec<EventKind>>,
    /// Whether it hears anything.
    pub active: Option<bool>,
}

#[derive(QueryableByName)]
struct WebhookRow {
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Nullable<Text>)]
    description: Option<String>,
    #[diesel(sql_type = Array<Text>)]
    events: Vec<String>,
    #[diesel(sql_type = Bool)]
    active: bool,
    #[diesel(sql_type = Integer)]
    secret_version: i32,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
}

impl TryFrom<WebhookRow> for WebhookRecord {
    type Error = Error;

    fn try_from(row: WebhookRow) -> Result<Self> {
        Ok(Self {
            id: WebhookId::from_uuid(row.id),
            organization: OrganizationId::from_uuid(row.organization_id),
            url: row.url,
            description: row.description,
            events: row.events.iter().map(|event| stored(event)).collect::<Result<_>>()?,
            active: row.active,
            secret_version: row.secret_version,
            created_at: moment(row.created_at)?,
            updated_at: moment(row.updated_at)?,
        })
    }
}

macro_rules! webhook_columns {
    () => {
        "w.organization_id, w.id, w.url, w.description, w.events, w.active, w.secret_version, w.created_at, w.updated_at"
    };
}

statements! {
    FindWebhook = concat!("SELECT ", webhook_columns!(), " FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2");
    LockWebhook = concat!(
        "SELECT ", webhook_columns!(), " FROM webhooks w WHERE w.organization_id = $1 AND w.id = $2 FOR NO KEY UPDATE"
    );
    ListWebhooks = concat!(
        "SELECT ", webhook_columns!(), " FROM webhooks w WHERE w.organization_id = $1 AND ($2 IS NULL OR w.id < $2) \
         ORDER BY w.id DESC LIMIT $3"
    );
    CountWebhooks = "SELECT count(*) AS total FROM webhooks WHERE organization_id = $1";
    InsertWebhook = concat!(
        "INSERT INTO webhooks AS w (organization_id, id, url, description, events, active, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING ", webhook_columns!()
    );
    UpdateWebhook = concat!(
        "UPDATE webhooks w SET url = $3, description = $4, events = $5, active = $6, secret_version = $7, updated_at = $8 \
         WHERE w.organization_id = $1 AND w.id = $2 RETURNING ", webhook_columns!()
    );
    DeleteWebhook = "DELETE FROM webhooks WHERE organization_id = $1 AND id = $2";
}

impl Reader<'_> {
    /// A webhook of an organization: one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn webhook(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        id: WebhookId,
    ) -> Result<Authorized<WebhookRecord>> {
        let row: Option<WebhookRow> = FindWebhook::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        let record = row.ok_or(Error::NotFound)?.try_into()?;
        Ok(organization.clone().map(|_| record))
    }

    /// The webhooks of an organization, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn webhooks(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        below: Option<WebhookId>,
        limit: u16,
    ) -> Result<Slice<WebhookRecord>> {
        let id = *organization.id.as_uuid();
        let rows: Vec<WebhookRow> = ListWebhooks::bind((
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(below.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountWebhooks::bind((val::<SqlUuid, _>(id),)).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }
}

impl Tx<'_> {
    /// Makes a webhook.
    ///
    /// # Errors
    /// 409 when the organization has as many as it may have.
    pub fn create_webhook(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        new: NewWebhook,
    ) -> Result<WebhookRecord> {
        self.lock_organization(organization.id)?;
        let present: CountRow = CountWebhooks::bind((val::<SqlUuid, _>(*organization.id.as_uuid()),))
            .get_result(self.connection)?;
        if u64::try_from(present.total).unwrap_or(0) >= WEBHOOKS_MAX {
            let message = format!("An organization has at most {WEBHOOKS_MAX} webhooks.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let id = WebhookId::from_uuid(self.storage.ids().uuid());
        self.note_made("webhook", id);
        let row: WebhookRow = InsertWebhook::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Text, _>(new.url),
            val::<Nullable<Text>, _>(new.description),
            val::<Array<Text>, _>(words(&new.events)),
            val::<Bool, _>(new.active),
            self.now_bind(),
        ))
        .get_result(self.connection)?;
        row.try_into()
    }

    /// Locks a webhook until the transaction ends and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone.
    pub fn lock_webhook(&mut self, webhook: Authorized<WebhookRecord>) -> Result<Authorized<WebhookRecord>> {
        let row: Option<WebhookRow> =
            LockWebhook::bind(key(&webhook)).get_result(self.connection).optional()?;
        let fresh = row.ok_or(Error::NotFound)?.try_into()?;
        Ok(webhook.map(|_| fresh))
    }

    /// Changes a locked webhook.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn update_webhook(
        &mut self,
        webhook: Authorized<WebhookRecord>,
        changes: WebhookChanges,
    ) -> Result<WebhookRecord> {
        let WebhookChanges { url, description, events, active } = changes;
        let before = webhook.into_inner();
        self.write_webhook(WebhookRecord {
            url: url.unwrap_or(before.url),
            description: description.apply(before.description),
            events: events.unwrap_or(before.events),
            active: active.unwrap_or(before.active),
            ..before
        })
    }

    /// Gives a locked webhook another secret. What is delivered from now on is signed with it.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn rotate_webhook_secret(&mut self, webhook: Authorized<WebhookRecord>) -> Result<WebhookRecord> {
        let before = webhook.into_inner();
        self.write_webhook(WebhookRecord {
            secret_version: before.secret_version.saturating_add(1),
            ..before
        })
    }

    fn write_webhook(&mut self, webhook: WebhookRecord) -> Result<WebhookRecord> {
        let row: WebhookRow = UpdateWebhook::bind((
            val::<SqlUuid, _>(*webhook.organization.as_uuid()),
            val::<SqlUuid, _>(*webhook.id.as_uuid()),
            val::<Text, _>(webhook.url),
            val::<Nullable<Text>, _>(webhook.description),
            val::<Array<Text>, _>(words(&webhook.events)),
            val::<Bool, _>(webhook.active),
            val::<Integer, _>(webhook.secret_version),
            self.now_bind(),
        ))
        .get_result(self.connection)?;
        row.try_into()
    }

    /// Deletes a webhook and all that is known of its deliveries.
    ///
    /// # Errors
    /// [`Error::NotFound`] when somebody else was faster.
    pub fn delete_webhook(&mut self, webhook: &Authorized<WebhookRecord>) -> Result<()> {
        match DeleteWebhook::bind(key(webhook)).execute(self.connection)? {
            0 => Err(Error::NotFound),
            _ => Ok(()),
        }
    }
}

type Key = (crate::statement::Bind<SqlUuid, Uuid>, crate::statement::Bind<SqlUuid, Uuid>);

fn key(webhook: &WebhookRecord) -> Key {
    (val(*webhook.organization.as_uuid()), val(*webhook.id.as_uuid()))
}

/// The words of events, each once.
fn words(events: &[EventKind]) -> Vec<&'static str> {
    EventKind::ALL.iter().filter(|kind| events.contains(kind)).map(|kind| kind.as_str()).collect()
}
