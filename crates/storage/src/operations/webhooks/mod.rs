//! Webhooks and their deliveries.
//!
//! An event is written for each subscribed webhook in the transaction that emits it, so webhooks receive exactly the
//! events of committed transactions. A loop on each node sends the deliveries under leases instead of jobs: one node at
//! a time delivers to a webhook, so a slow receiver delays only its own deliveries.

mod deliveries;
mod events;
mod outbox;
mod secret;

use diesel::prelude::*;
use quire_domain::bounded::IntoText as _;
use quire_domain::bounds::WEBHOOKS_MAX;
use quire_domain::error::Reason;
use quire_domain::ids::WebhookId;
use quire_domain::webhooks::{EventKind, WebhookCreate, WebhookFacts, WebhookUpdate};

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::webhooks;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

pub(crate) use events::Event;
pub(crate) use outbox::TRIES as DELIVERY_TRIES;
pub use outbox::{DueDelivery, LeasedWebhook};

impl Reader<'_> {
    /// Returns a webhook of an organization. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn webhook(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        id: WebhookId,
    ) -> Result<Authorized<WebhookFacts>> {
        let webhook = webhooks::table
            .find((organization.id, id))
            .select(WebhookFacts::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        Ok(organization.clone().map(|_| webhook))
    }

    /// Returns the webhooks of an organization, newest first. Takes two statements.
    pub fn webhooks(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<WebhookId>,
        limit: u16,
    ) -> Result<Slice<WebhookFacts>> {
        let of_organization = || webhooks::table.filter(webhooks::organization_id.eq(organization.id));
        let webhooks = of_organization()
            .filter(webhooks::id.lt(page_end(after)))
            .order(webhooks::id.desc())
            .limit(fetch_limit(limit))
            .select(WebhookFacts::as_select())
            .load(self.connection)?;
        let total = of_organization().count().get_result(self.connection)?;
        Ok(Slice::cut(webhooks, limit, total))
    }
}

impl Tx<'_> {
    /// Creates a webhook, and returns it with its secret.
    ///
    /// # Errors
    /// 409 if the organization has the maximum number of webhooks.
    pub fn create_webhook(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        new: WebhookCreate,
    ) -> Result<(WebhookFacts, String)> {
        let WebhookCreate { url, description, events, active } = new;
        self.lock_organization(organization.id)?;
        let present: i64 = webhooks::table
            .filter(webhooks::organization_id.eq(organization.id))
            .count()
            .get_result(self.connection)?;
        if u64::try_from(present).unwrap_or(0) >= WEBHOOKS_MAX {
            let message = format!("An organization can have at most {WEBHOOKS_MAX} webhooks.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let id = WebhookId::from_uuid(self.storage.ids().uuid());
        self.record_created("webhook", id);
        let now = self.now;
        let written = diesel::insert_into(webhooks::table)
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
            .returning((WebhookFacts::as_select(), webhooks::secret_version));
        let (webhook, version) = written.get_result(self.connection)?;
        Ok((webhook, self.webhook_secret(id, version)?))
    }

    /// Locks a webhook until the transaction ends and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted.
    pub fn lock_webhook(&mut self, webhook: Authorized<WebhookFacts>) -> Result<Authorized<WebhookFacts>> {
        let fresh = webhooks::table
            .find((webhook.organization, webhook.id))
            .for_no_key_update()
            .select(WebhookFacts::as_select())
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        Ok(webhook.map(|_| fresh))
    }

    /// Changes a locked webhook.
    pub fn update_webhook(
        &mut self,
        webhook: Authorized<WebhookFacts>,
        update: WebhookUpdate,
    ) -> Result<WebhookFacts> {
        let WebhookUpdate { url, description, events, active } = update;
        let before = webhook.into_inner();
        let written = diesel::update(webhooks::table.find((before.organization, before.id)))
            .set((
                webhooks::url.eq(url.into_text()?.unwrap_or(before.url)),
                webhooks::description.eq(description.into_text()?.apply(before.description)),
                webhooks::events.eq(words(&events.unwrap_or(before.events))),
                webhooks::active.eq(active.unwrap_or(before.active)),
                webhooks::updated_at.eq(self.now),
            ))
            .returning(WebhookFacts::as_returning());
        Ok(written.get_result(self.connection)?)
    }

    /// Replaces the secret of a locked webhook, which signs its deliveries from then on. Returns the webhook and the
    /// secret.
    pub fn rotate_webhook_secret(
        &mut self,
        webhook: &Authorized<WebhookFacts>,
    ) -> Result<(WebhookFacts, String)> {
        let written = diesel::update(webhooks::table.find((webhook.organization, webhook.id)))
            .set((
                webhooks::secret_version.eq(webhooks::secret_version + 1),
                webhooks::updated_at.eq(self.now),
            ))
            .returning((WebhookFacts::as_select(), webhooks::secret_version));
        let (webhook, version): (WebhookFacts, i32) = written.get_result(self.connection)?;
        let secret = self.webhook_secret(webhook.id, version)?;
        Ok((webhook, secret))
    }

    /// Deletes a webhook with its deliveries.
    ///
    /// # Errors
    /// [`Error::NotFound`] if another request has deleted it.
    pub fn delete_webhook(&mut self, webhook: &Authorized<WebhookFacts>) -> Result<()> {
        let webhook = webhooks::table.find((webhook.organization, webhook.id));
        let deleted = diesel::delete(webhook).execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}

/// Returns the names of events, without duplicates.
fn words(events: &[EventKind]) -> Vec<&'static str> {
    EventKind::ALL.iter().filter(|kind| events.contains(kind)).map(|kind| kind.as_str()).collect()
}
