//! Writes of the audit log.

use std::borrow::Cow;

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::audit::AuditOutcome;
use quire_domain::ids::{OrganizationId, SpaceId, TokenId, UserId};
use uuid::Uuid;

use super::Change;
use crate::Result;
use crate::end_of_transaction::Events;
use crate::lookup::Actor;
use crate::operations::webhooks::DELIVERY_TRIES;
use crate::schema::{audit_entries, organization_members, organizations};
use crate::system::SystemTx;
use crate::transaction::{AlsoDone, Tenant, Tx};

/// Command of the operator that changed something.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// Name, such as `admin.create-user`.
    pub operation: &'static str,
    /// Changed or created object: its kind and its id.
    pub target: Option<(&'a str, &'a str)>,
}

/// Entry of a user's request, for the log of each organization that it concerns.
#[derive(Debug)]
pub(crate) struct Entry {
    organizations: Vec<Uuid>,
    ids: Vec<Uuid>,
    actor: Actor,
    change: Change,
    space: Option<SpaceId>,
    target: Option<(String, String)>,
}

/// Entries, repeated for each organization that they concern.
struct EntryRows<'a> {
    organizations: Vec<Uuid>,
    ids: Vec<Uuid>,
    entries: Vec<&'a Entry>,
}

impl<'a> EntryRows<'a> {
    fn of(entries: &'a [Entry]) -> Self {
        let rows = entries.iter().flat_map(|entry| {
            let keys = entry.organizations.iter().zip(&entry.ids);
            keys.map(move |(organization, id)| ((*organization, *id), entry))
        });
        let (keys, entries): (Vec<(Uuid, Uuid)>, Vec<&Entry>) = rows.unzip();
        let (organizations, ids) = keys.into_iter().unzip();
        Self { organizations, ids, entries }
    }
}

sql_files! {
    InsertDone(
        Array<SqlUuid>,
        Array<SqlUuid>,
        SqlUuid,
        SqlUuid,
        Text,
        Text,
        Text,
        Nullable<SqlUuid>,
        Nullable<Text>,
        Nullable<Text>,
        Nullable<Text>,
        Text,
        Timestamptz,
        Array<SqlUuid>,
        Array<Text>,
        Array<SqlUuid>,
        Array<Jsonb>,
        Integer,
    ) = "insert_done.sql";
    InsertAllDone(
        Array<SqlUuid>,
        Array<SqlUuid>,
        Array<SqlUuid>,
        Array<SqlUuid>,
        Array<Text>,
        Array<Text>,
        Array<Text>,
        Array<Nullable<SqlUuid>>,
        Array<Nullable<Text>>,
        Array<Nullable<Text>>,
        Array<Nullable<Text>>,
        Array<Text>,
        Timestamptz,
        Array<SqlUuid>,
        Array<Text>,
        Array<SqlUuid>,
        Array<Jsonb>,
        Integer,
    ) = "insert_all_done.sql";
    InsertRefused(
        Array<SqlUuid>,
        Array<SqlUuid>,
        SqlUuid,
        Nullable<SqlUuid>,
        Text,
        Text,
        Text,
        Nullable<SqlUuid>,
        Nullable<Text>,
        Nullable<Text>,
        Nullable<Text>,
        Text,
        Timestamptz,
    ) = "insert_refused.sql";
    OrganizationsOfToken(SqlUuid) -> SqlUuid = "organizations_of_token.sql";
}

impl Tx<'_> {
    /// Records that the request of this transaction was completed, for the log of each organization that it concerns:
    /// the organization of the path's object, and those that were recorded as concerned. The entry is written when the
    /// transaction ends. A save that amends a revision with an entry gets none.
    pub fn audit(&mut self, change: &Change) {
        let Some(actor) = self.actor.filter(|_| !self.closing.is_audited) else { return };
        let mut organizations: Vec<OrganizationId> =
            self.tenant.iter().map(|tenant| tenant.organization).collect();
        let concerned = std::mem::take(&mut self.concerned);
        organizations.extend(
            concerned.into_iter().filter(|other| self.tenant.is_none_or(|at| at.organization != *other)),
        );
        if organizations.is_empty() {
            return;
        }
        let created = self.created.clone().map(|created| (created.kind.to_owned(), created.id));
        let target = created.or_else(|| change.named.clone());
        let space = self.tenant.and_then(|tenant| tenant.space);
        let (organizations, ids) = self.entry_keys(&organizations);
        let operation = self.operation.take().map_or_else(|| change.operation.clone(), Cow::Borrowed);
        let done = Change { operation, ..change.clone() };
        self.closing.entries.push(Entry { organizations, ids, actor, change: done, space, target });
        for AlsoDone { organization, operation, target } in std::mem::take(&mut self.also) {
            let (organizations, ids) = self.entry_keys(&[organization]);
            let change = Change { operation: Cow::Borrowed(operation), ..change.clone() };
            let target = Some(target);
            self.closing.entries.push(Entry { organizations, ids, actor, change, space: None, target });
        }
    }

    /// Writes an entry for a request that was refused to an actor who can see its target: at most once an hour for the
    /// same attempt, and at most sixty attempts per actor and hour.
    pub fn audit_refusal(&mut self, change: &Change, actor: Actor, tenant: Tenant) -> Result<()> {
        let space = tenant.space;
        self.write_refusal(&[tenant.organization], actor.user, Some(actor.token), change, space)
    }

    /// Like [`Tx::audit_refusal`], in the logs of several organizations. A refused sign-in has no token.
    pub(crate) fn write_refusal(
        &mut self,
        organizations: &[OrganizationId],
        user: UserId,
        token: Option<TokenId>,
        change: &Change,
        space: Option<SpaceId>,
    ) -> Result<()> {
        let (organizations, ids) = self.entry_keys(organizations);
        let target = change.named.as_ref();
        InsertRefused::bind((
            organizations,
            ids,
            user,
            token,
            &*change.operation,
            change.method.as_str(),
            change.path.as_str(),
            space,
            target.map(|(kind, _)| kind.as_str()),
            target.map(|(_, id)| id.as_str()),
            change.address.map(|address| address.to_string()),
            change.request_id.as_str(),
            self.now,
        ))
        .execute(self.connection)?;
        Ok(())
    }

    fn insert_done(&mut self, entry: &Entry, events: Events) -> Result<()> {
        let Entry { organizations, ids, actor, change, space, target } = entry;
        InsertDone::bind((
            organizations,
            ids,
            actor.user,
            actor.token,
            &*change.operation,
            change.method.as_str(),
            change.path.as_str(),
            space,
            target.as_ref().map(|(kind, _)| kind.as_str()),
            target.as_ref().map(|(_, id)| id.as_str()),
            change.address.map(|address| address.to_string()),
            change.request_id.as_str(),
            self.now,
            events.organizations,
            events.kinds,
            events.ids,
            events.payloads,
            DELIVERY_TRIES,
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Writes the entries of completed requests, with the events of the transaction. Takes one statement.
    pub(crate) fn write_entries(&mut self, entries: &[Entry], events: Events) -> Result<()> {
        match entries {
            [] if events.is_empty() => Ok(()),
            [] => self.write_events(events),
            [entry] => self.insert_done(entry, events),
            entries => self.insert_entries(entries, events),
        }
    }

    fn insert_entries(&mut self, entries: &[Entry], events: Events) -> Result<()> {
        let EntryRows { organizations, ids, entries } = EntryRows::of(entries);
        let each = || entries.iter().copied();
        let target = |entry: &'_ Entry| entry.target.clone().unzip();
        let (kinds, targets): (Vec<_>, Vec<_>) = each().map(target).unzip();
        let spaces: Vec<Option<SpaceId>> = each().map(|entry| entry.space).collect();
        let addresses: Vec<Option<String>> =
            each().map(|entry| entry.change.address.map(|address| address.to_string())).collect();
        let texts = |text: fn(&Entry) -> &str| -> Vec<&str> { each().map(text).collect() };
        InsertAllDone::bind((
            organizations,
            ids,
            each().map(|entry| entry.actor.user).collect::<Vec<_>>(),
            each().map(|entry| entry.actor.token).collect::<Vec<_>>(),
            texts(|entry| &entry.change.operation),
            texts(|entry| &entry.change.method),
            texts(|entry| &entry.change.path),
            spaces,
            kinds,
            targets,
            addresses,
            texts(|entry| &entry.change.request_id),
            self.now,
            events.organizations,
            events.kinds,
            events.ids,
            events.payloads,
            DELIVERY_TRIES,
        ))
        .execute(self.connection)?;
        Ok(())
    }

    fn entry_keys(&self, organizations: &[OrganizationId]) -> (Vec<Uuid>, Vec<Uuid>) {
        organizations.iter().map(|id| (Uuid::from(*id), self.storage.ids().uuid())).unzip()
    }

    /// Returns the organizations that a token concerns: all organizations of its user, or the subset to which the token
    /// is limited.
    pub(crate) fn organizations_of_token(&mut self, token: TokenId) -> Result<Vec<OrganizationId>> {
        let ids: Vec<Uuid> = OrganizationsOfToken::bind((token,)).load(self.connection)?;
        Ok(ids.into_iter().map(OrganizationId::from_uuid).collect())
    }
}

impl Tx<'_> {
    /// Returns the organizations that a user belongs to.
    pub(crate) fn memberships(&mut self, user: UserId) -> Result<Vec<OrganizationId>> {
        let ids = organization_members::table
            .filter(organization_members::user_id.eq(user))
            .order(organization_members::organization_id)
            .select(organization_members::organization_id)
            .load(self.connection)?;
        Ok(ids.into_iter().map(OrganizationId::from_uuid).collect())
    }
}

impl SystemTx<'_> {
    /// Writes the entry of an operator's command to the logs of these organizations.
    pub fn audit_command(&mut self, organizations: &[OrganizationId], command: Command<'_>) -> Result<()> {
        let (organizations, ids) = self.entry_keys(organizations);
        let now = self.now;
        let entry = |(organization, id): (&Uuid, &Uuid)| {
            (
                audit_entries::organization_id.eq(*organization),
                audit_entries::id.eq(*id),
                audit_entries::actor_type.eq("system"),
                audit_entries::operation.eq(command.operation),
                audit_entries::target_type.eq(command.target.map(|(kind, _)| kind)),
                audit_entries::target_id.eq(command.target.map(|(_, id)| id)),
                audit_entries::outcome.eq(AuditOutcome::Done.as_str()),
                audit_entries::created_at.eq(now),
            )
        };
        let entries: Vec<_> = organizations.iter().zip(&ids).map(entry).collect();
        diesel::insert_into(audit_entries::table).values(entries).execute(self.connection)?;
        Ok(())
    }

    /// Returns the organizations that a user belongs to.
    pub fn organizations_of_user(&mut self, user: UserId) -> Result<Vec<OrganizationId>> {
        self.memberships(user)
    }

    /// Returns all organizations of the deployment.
    pub fn all_organizations(&mut self) -> Result<Vec<OrganizationId>> {
        let ids =
            organizations::table.order(organizations::id).select(organizations::id).load(self.connection)?;
        Ok(ids.into_iter().map(OrganizationId::from_uuid).collect())
    }
}
