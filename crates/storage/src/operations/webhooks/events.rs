//! Events, written for each subscribed webhook at the end of the transaction that emits them.

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{EventId, OrganizationId, SpaceId};
use quire_domain::webhooks::{DeliveryState, EventKind, WebhookFacts};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::outbox::TRIES;
use crate::end_of_transaction::Events;
use crate::lookup::Authorized;
use crate::operations::jobs::shared_time;
use crate::schema::{spaces, webhook_deliveries};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    kind: EventKind,
    space: Option<SpaceId>,
    details: Map<String, Value>,
}

impl Event {
    /// Creates an event in an organization.
    pub(crate) fn new(kind: EventKind) -> Self {
        Self { kind, space: None, details: Map::new() }
    }

    /// Creates an event in a space.
    pub(crate) fn in_space(kind: EventKind, space: SpaceId) -> Self {
        Self { kind, space: Some(space), details: Map::new() }
    }

    /// Adds a detail.
    pub(crate) fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.details.insert(key.to_owned(), Value::String(value.to_string()));
        self
    }

    /// Adds a detail if it is present.
    pub(crate) fn with_some(self, key: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Adds a numeric detail.
    pub(crate) fn with_number(mut self, key: &str, value: i32) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }
}

sql_files! {
    WriteEvents(Array<SqlUuid>, Array<Text>, Array<SqlUuid>, Array<Jsonb>, Integer, Timestamptz, Nullable<Timestamptz>)
        = "write_events.sql";
}

impl Tx<'_> {
    /// Emits an event in the organization of a space. Its deliveries are written when the transaction ends.
    pub(crate) fn emit_in_space(&mut self, event: Event) -> Result<()> {
        self.emit_all_in_space(vec![event])
    }

    /// Emits several events in the organization of one space.
    pub(crate) fn emit_all_in_space(&mut self, events: Vec<Event>) -> Result<()> {
        let Some(space) = events.first().and_then(|event| event.space) else { return Ok(()) };
        let organization = self.organization_with(space)?;
        self.emit_all(organization, events)
    }

    /// Returns the organization of a space. Takes no statement if the space is in the path of the request.
    pub(crate) fn organization_with(&mut self, space: SpaceId) -> Result<OrganizationId> {
        match self.tenant {
            Some(tenant) if tenant.space == Some(space) => Ok(tenant.organization),
            _ => self.organization_of_space(space),
        }
    }

    /// Emits an event in an organization.
    pub(crate) fn emit(&mut self, organization: OrganizationId, event: Event) -> Result<()> {
        self.emit_all(organization, vec![event])
    }

    /// Emits several events in an organization.
    pub(crate) fn emit_all(&mut self, organization: OrganizationId, events: Vec<Event>) -> Result<()> {
        for event in events {
            let id = self.storage.ids().uuid();
            let kind = event.kind.as_str();
            let payload = self.payload(EventId::from_uuid(id), organization, event);
            let pending = &mut self.closing.events;
            pending.organizations.push(organization);
            pending.kinds.push(kind);
            pending.ids.push(id);
            pending.payloads.push(payload);
        }
        Ok(())
    }

    /// Returns the organization of a space that is not in the path of the request, such as in a job.
    fn organization_of_space(&mut self, space: SpaceId) -> Result<OrganizationId> {
        let organization: Option<Uuid> = spaces::table
            .find(space)
            .select(spaces::organization_id)
            .get_result(self.connection)
            .optional()?;
        organization.map(OrganizationId::from).ok_or(Error::NotFound)
    }

    /// Writes the deliveries of events with one statement. Events without a subscribed webhook write no row.
    pub(crate) fn write_events(&mut self, events: Events) -> Result<()> {
        let Events { organizations, kinds, ids, payloads } = events;
        let now = self.now;
        let due = self.lease_time();
        WriteEvents::bind((organizations, kinds, ids, payloads, TRIES, now, due)).execute(self.connection)?;
        Ok(())
    }

    /// Writes a test delivery to a webhook, active or not.
    pub fn ping_webhook(&mut self, webhook: &Authorized<WebhookFacts>) -> Result<EventId> {
        let id = EventId::from_uuid(self.storage.ids().uuid());
        self.record_created("webhook-delivery", id);
        let payload = self.payload(id, webhook.organization, Event::new(EventKind::Ping));
        let now = self.now;
        diesel::insert_into(webhook_deliveries::table)
            .values((
                webhook_deliveries::organization_id.eq(webhook.organization),
                webhook_deliveries::webhook_id.eq(webhook.id),
                webhook_deliveries::id.eq(id),
                webhook_deliveries::kind.eq(EventKind::Ping.as_str()),
                webhook_deliveries::payload.eq(payload),
                webhook_deliveries::state.eq(DeliveryState::Pending.as_str()),
                webhook_deliveries::tries_left.eq(TRIES),
                webhook_deliveries::next_attempt_at.eq(shared_time(self.lease_time())),
                webhook_deliveries::created_at.eq(now),
            ))
            .execute(self.connection)?;
        Ok(id)
    }

    /// Returns the body of a delivery: the common keys and those of the event kind.
    fn payload(&self, id: EventId, organization: OrganizationId, event: Event) -> Value {
        let Event { kind, space, mut details } = event;
        details.insert("eventId".to_owned(), json!(id));
        details.insert("type".to_owned(), json!(kind));
        details.insert("createdAt".to_owned(), json!(self.now));
        details.insert("organizationId".to_owned(), json!(organization));
        if let Some(space) = space {
            details.insert("spaceId".to_owned(), json!(space));
        }
        if let Some(actor) = self.actor {
            details.insert("actorId".to_owned(), json!(actor.user));
        }
        Value::Object(details)
    }
}
