//! Webhooks and their deliveries.
//!
//! An event is written for each subscribed webhook in the transaction that makes it, so webhooks receive exactly the
//! events of committed transactions. Deliveries are sent by a loop of each node over leases, not by jobs: one node at a
//! time delivers to a webhook, so a slow receiver delays only its own deliveries.

mod deliveries;
mod events;
mod outbox;
mod secret;

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::bounded::IntoText as _;
use quire_domain::bounds::WEBHOOKS_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, WebhookId};
use quire_domain::webhooks::{EventKind, WebhookCreate, WebhookUpdate};

use crate::diesel_types::Elements;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::webhooks;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

pub(crate) use events::Event;
pub(crate) use outbox::TRIES as DELIVERY_TRIES;
pub use outbox::{DueDelivery, LeasedWebhook};

/// A webhook as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = webhooks, check_for_backend(Pg))]
pub struct WebhookRecord {
    /// Its id.
    pub id: WebhookId,
    /// The organization whose events it receives.
    #[diesel(column_name = organization_id)]
    pub organization: OrganizationId,
    /// The address to which events are sent.
    pub url: String,
    /// Its purpose.
    pub description: Option<String>,
    /// The subscribed events.
    #[diesel(deserialize_as = Elements<Vec<Option<EventKind>>>)]
    pub events: Vec<EventKind>,
    /// True if events are delivered.
    pub active: bool,
    /// The number of its current secret, from 1.
    pub secret_version: i32,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
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
        let webhook = webhooks::table
            .find((organization.id, id))
            .select(WebhookRecord::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        Ok(organization.clone().map(|_| webhook))
    }

    /// The webhooks of an organization, newest first: two statements.
    pub fn webhooks(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<WebhookId>,
        limit: u16,
    ) -> Result<Slice<WebhookRecord>> {
        let of_organization = || webhooks::table.filter(webhooks::organization_id.eq(organization.id));
        let webhooks = of_organization()
            .filter(webhooks::id.lt(page_end(after)))
            .order(webhooks::id.desc())
            .limit(fetch_limit(limit))
            .select(WebhookRecord::as_select())
            .load(self.connection)?;
        let total = of_organization().count().get_result(self.connection)?;
        Ok(Slice::cut(webhooks, limit, total))
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
        new: WebhookCreate,
    ) -> Result<WebhookRecord> {
        let WebhookCreate { url, description, events, active } = new;
        self.lock_organization(organization.id)?;
        let present: i64 = webhooks::table
            .filter(webhooks::organization_id.eq(organization.id))
            .count()
            .get_result(self.connection)?;
        if u64::try_from(present).unwrap_or(0) >= WEBHOOKS_MAX {
            let message = format!("An organization has at most {WEBHOOKS_MAX} webhooks.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let id = WebhookId::from_uuid(self.storage.ids().uuid());
        self.record_created("webhook", id);
        let now = self.now;
        let webhook = diesel::insert_into(webhooks::table)
            .values((
                webhooks::organization_id.eq(organization.id),
                webhooks::id.eq(id),
                webhooks::url.eq(url.into_text()?),
                webhooks::description.eq(description.into_text()?),
                webhooks::events.eq(words(&events)),
                webhooks::active.eq(active.unwrap_or(true)),
                webhooks::created_at.eq(now),
                webhooks::updated_at.eq(now),
            ))
            .returning(WebhookRecord::as_returning());
        Ok(webhook.get_result(self.connection)?)
    }

    /// Locks a webhook until the transaction ends and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted.
    pub fn lock_webhook(&mut self, webhook: Authorized<WebhookRecord>) -> Result<Authorized<WebhookRecord>> {
        let fresh = webhooks::table
            .find((webhook.organization, webhook.id))
            .for_no_key_update()
            .select(WebhookRecord::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        Ok(webhook.map(|_| fresh))
    }

    /// Changes a locked webhook.
    pub fn update_webhook(
        &mut self,
        webhook: Authorized<WebhookRecord>,
        update: WebhookUpdate,
    ) -> Result<WebhookRecord> {
        let WebhookUpdate { url, description, events, active } = update;
        let before = webhook.into_inner();
        self.write_webhook(WebhookRecord {
            url: url.into_text()?.unwrap_or(before.url),
            description: description.into_text()?.apply(before.description),
            events: events.unwrap_or(before.events),
            active: active.unwrap_or(before.active),
            ..before
        })
    }

    /// Gives a locked webhook another secret, which signs its deliveries from now on.
    pub fn rotate_webhook_secret(&mut self, webhook: Authorized<WebhookRecord>) -> Result<WebhookRecord> {
        let before = webhook.into_inner();
        self.write_webhook(WebhookRecord {
            secret_version: before.secret_version.saturating_add(1),
            ..before
        })
    }

    fn write_webhook(&mut self, webhook: WebhookRecord) -> Result<WebhookRecord> {
        let key = (webhook.organization, webhook.id);
        let written = diesel::update(webhooks::table.find(key))
            .set((
                webhooks::url.eq(webhook.url),
                webhooks::description.eq(webhook.description),
                webhooks::events.eq(words(&webhook.events)),
                webhooks::active.eq(webhook.active),
                webhooks::secret_version.eq(webhook.secret_version),
                webhooks::updated_at.eq(self.now),
            ))
            .returning(WebhookRecord::as_returning());
        Ok(written.get_result(self.connection)?)
    }

    /// Deletes a webhook with its deliveries.
    ///
    /// # Errors
    /// [`Error::NotFound`] if another request has deleted it.
    pub fn delete_webhook(&mut self, webhook: &Authorized<WebhookRecord>) -> Result<()> {
        let webhook = webhooks::table.find((webhook.organization, webhook.id));
        let deleted = diesel::delete(webhook).execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}

/// The words of events, each once.
fn words(events: &[EventKind]) -> Vec<&'static str> {
    EventKind::ALL.iter().filter(|kind| events.contains(kind)).map(|kind| kind.as_str()).collect()
}
