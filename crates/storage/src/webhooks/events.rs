//! Events: written for each webhook that hears them, in the transaction that makes them.

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{EventId, OrganizationId, SpaceId};
use quire_domain::webhooks::EventKind;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::WebhookRecord;
use super::outbox::TRIES;
use crate::Result;
use crate::lookup::Authorized;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    kind: EventKind,
    space: Option<SpaceId>,
    details: Map<String, Value>,
}

impl Event {
    /// Something that happened in an organization.
    pub(crate) fn new(kind: EventKind) -> Self {
        Self { kind, space: None, details: Map::new() }
    }

    /// Something that happened in a space.
    pub(crate) fn in_space(kind: EventKind, space: SpaceId) -> Self {
        Self { kind, space: Some(space), details: Map::new() }
    }

    /// With a detail.
    pub(crate) fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.details.insert(key.to_owned(), Value::String(value.to_string()));
        self
    }

    /// With a detail, if there is one.
    pub(crate) fn with_some(self, key: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// With a detail that is a number.
    pub(crate) fn with_number(mut self, key: &str, value: i32) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }
}

statements! {
    // The organization of an event in a space is the space's.
    WriteEvents = "INSERT INTO webhook_deliveries \
                     (organization_id, webhook_id, id, kind, payload, state, tries_left, next_attempt_at, created_at) \
                   SELECT w.organization_id, w.id, e.id, e.kind, e.payload || jsonb_build_object('organizationId', w.organization_id), \
                          'pending', $6, $7, $7 \
                   FROM webhooks w JOIN unnest($3, $4, $5) AS e (kind, id, payload) ON e.kind = ANY (w.events) \
                   WHERE w.active AND w.organization_id = coalesce($1, (SELECT s.organization_id FROM spaces s WHERE s.id = $2))";
    WritePing = "INSERT INTO webhook_deliveries \
                   (organization_id, webhook_id, id, kind, payload, state, tries_left, next_attempt_at, created_at) \
                 VALUES ($1, $2, $3, 'ping', $4, 'pending', $5, $6, $6)";
}

impl Tx<'_> {
    /// Tells the webhooks that hear it of something in the organization of a space. One statement, which writes nothing where
    /// nobody listens.
    pub(crate) fn emit_in_space(&mut self, event: Event) -> Result<()> {
        self.emit_all_in_space(vec![event])
    }

    /// Tells the webhooks that hear them of several things in the organization of one space: one statement.
    pub(crate) fn emit_all_in_space(&mut self, events: Vec<Event>) -> Result<()> {
        self.write_events(None, events)
    }

    /// Tells the webhooks that hear it of something in an organization.
    pub(crate) fn emit(&mut self, organization: OrganizationId, event: Event) -> Result<()> {
        self.emit_all(organization, vec![event])
    }

    /// Tells the webhooks that hear them of several things in an organization: one statement for all of them.
    pub(crate) fn emit_all(&mut self, organization: OrganizationId, events: Vec<Event>) -> Result<()> {
        self.write_events(Some(organization), events)
    }

    fn write_events(&mut self, organization: Option<OrganizationId>, events: Vec<Event>) -> Result<()> {
        let Some(first) = events.first() else { return Ok(()) };
        let space = first.space.map(|space| *space.as_uuid());
        let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
        let ids: Vec<Uuid> = events.iter().map(|_| self.storage.ids().uuid()).collect();
        let payloads = ids.iter().zip(events).map(|(id, event)| self.payload(EventId::from_uuid(*id), event));
        let payloads: Vec<Value> = payloads.collect();
        WriteEvents::bind((
            val::<Nullable<SqlUuid>, _>(organization.map(|id| *id.as_uuid())),
            val::<Nullable<SqlUuid>, _>(space),
            val::<Array<Text>, _>(kinds),
            val::<Array<SqlUuid>, _>(ids),
            val::<Array<Jsonb>, _>(payloads),
            val::<Integer, _>(TRIES),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Sends a webhook a test, active or not.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn ping_webhook(&mut self, webhook: &Authorized<WebhookRecord>) -> Result<EventId> {
        let id = EventId::from_uuid(self.storage.ids().uuid());
        self.note_made("webhook-delivery", id);
        let mut payload = self.payload(id, Event::new(EventKind::Ping));
        if let Value::Object(payload) = &mut payload {
            payload.insert("organizationId".to_owned(), json!(webhook.organization));
        }
        WritePing::bind((
            val::<SqlUuid, _>(*webhook.organization.as_uuid()),
            val::<SqlUuid, _>(*webhook.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Jsonb, _>(payload),
            val::<Integer, _>(TRIES),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        Ok(id)
    }

    /// What is sent: the common keys and those of the kind.
    fn payload(&self, id: EventId, event: Event) -> Value {
        let Event { kind, space, mut details } = event;
        details.insert("eventId".to_owned(), json!(id));
        details.insert("type".to_owned(), json!(kind));
        details.insert("createdAt".to_owned(), json!(self.now));
        if let Some(space) = space {
            details.insert("spaceId".to_owned(), json!(space));
        }
        if let Some(actor) = self.seen {
            details.insert("actorId".to_owned(), json!(actor.user));
        }
        Value::Object(details)
    }
}
