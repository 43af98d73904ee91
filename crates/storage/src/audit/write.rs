//! Entries as they are written.

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Jsonb, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{OrganizationId, TokenId, UserId};
use uuid::Uuid;

use super::Change;
use crate::Result;
use crate::closing::Events;
use crate::lookup::Actor;
use crate::members::IdRow;
use crate::statement::{Sql, statements, val};
use crate::system::SystemTx;
use crate::transaction::{Reached, Tx};
use crate::webhooks::{DELIVERY_TRIES, write_events};

/// A command of the operator that changed something.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// Its name, such as `admin.create-user`.
    pub operation: &'static str,
    /// The thing that was changed or made: its kind, and its id.
    pub target: Option<(&'a str, &'a str)>,
}

/// The entry of a user's request, in the log of each organization that it concerns.
#[derive(Debug)]
pub(crate) struct Entry {
    organizations: Vec<Uuid>,
    ids: Vec<Uuid>,
    actor: Actor,
    change: Change,
    space: Option<Uuid>,
    target: Option<(String, String)>,
}

/// The insert of an entry: `$1` to `$13`.
macro_rules! insert_entry {
    ($outcome:literal) => {
        concat!(
            "INSERT INTO audit_entries (organization_id, id, actor_type, actor_id, token_id, operation, method, path, space_id, \
             target_type, target_id, address, request_id, outcome, created_at) \
             SELECT e.organization_id, e.id, 'user', $3, $4, $5, $6, $7, $8, $9, $10, CAST($11 AS inet), $12, '", $outcome, "', $13 \
             FROM unnest($1, $2) AS e (organization_id, id)"
        )
    };
}

/// Entries, each once for every organization that it concerns.
struct EntryColumns<'a> {
    organizations: Vec<Uuid>,
    ids: Vec<Uuid>,
    entries: Vec<&'a Entry>,
}

impl<'a> EntryColumns<'a> {
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

statements! {
    // With the events of the transaction, in one round trip.
    InsertDone = concat!(
        "WITH told AS (", write_events!("$14", "$15", "$16", "$17", "$18", "$13"), ") ", insert_entry!("done")
    );
    // The entries of several actors. Arrays cost more than single values.
    InsertAllDone = concat!(
        "WITH told AS (", write_events!("$14", "$15", "$16", "$17", "$18", "$13"), ") \
         INSERT INTO audit_entries (organization_id, id, actor_type, actor_id, token_id, operation, method, path, space_id, \
           target_type, target_id, address, request_id, outcome, created_at) \
         SELECT e.organization_id, e.id, 'user', e.actor_id, e.token_id, e.operation, e.method, e.path, e.space_id, \
           e.target_type, e.target_id, CAST(e.address AS inet), e.request_id, 'done', $13 \
         FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
           AS e (organization_id, id, actor_id, token_id, operation, method, path, space_id, target_type, target_id, address, request_id)"
    );
    // Sixty of an actor in an hour: what is tried in vain must not bury what was done.
    InsertRefused = concat!(
        insert_entry!("refused"),
        " WHERE (SELECT count(*) FROM audit_entries r WHERE r.organization_id = e.organization_id AND r.actor_id = $3 \
                 AND r.outcome = 'refused' \
                 AND date_trunc('hour', r.created_at AT TIME ZONE 'UTC') = date_trunc('hour', $13 AT TIME ZONE 'UTC')) < 60 \
          ON CONFLICT DO NOTHING"
    );
    InsertCommand = "INSERT INTO audit_entries (organization_id, id, actor_type, operation, target_type, target_id, outcome, created_at) \
                     SELECT e.organization_id, e.id, 'system', $3, $4, $5, 'done', $6 FROM unnest($1, $2) AS e (organization_id, id)";
    OrganizationsOfUser = "SELECT organization_id AS id FROM organization_members WHERE user_id = $1 ORDER BY organization_id";
    OrganizationsOfToken = "SELECT m.organization_id AS id FROM api_tokens t JOIN organization_members m ON m.user_id = t.user_id \
                            WHERE t.id = $1 AND (t.organizations IS NULL OR m.organization_id = ANY (t.organizations)) \
                            ORDER BY m.organization_id";
    AllOrganizations = "SELECT id FROM organizations ORDER BY id";
}

impl Tx<'_> {
    /// Notes that the request of this transaction was done, for the log of each organization that it concerns: that of what its path
    /// names, and those that were noted as concerned. The entry is written when the transaction ends.
    pub fn audit(&mut self, change: &Change) {
        let Some(actor) = self.seen else { return };
        let mut organizations: Vec<OrganizationId> =
            self.reached.iter().map(|reached| reached.organization).collect();
        let concerned = std::mem::take(&mut self.concerned);
        organizations.extend(
            concerned.into_iter().filter(|other| self.reached.is_none_or(|at| at.organization != *other)),
        );
        if organizations.is_empty() {
            return;
        }
        let made = self.made.clone().map(|made| (made.kind.to_owned(), made.id));
        let target = made.or_else(|| change.named.clone());
        let space = self.reached.and_then(|reached| reached.space).map(|space| *space.as_uuid());
        let (organizations, ids) = self.entry_keys(&organizations);
        self.closing.entries.push(Entry { organizations, ids, actor, change: change.clone(), space, target });
    }

    /// Writes that a request was refused to an actor who saw what it is about; once an hour for the same attempt, and not more than
    /// sixty attempts of an actor in an hour.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn audit_refusal(&mut self, change: &Change, actor: Actor, reached: Reached) -> Result<()> {
        let (organizations, ids) = self.entry_keys(&[reached.organization]);
        let space = reached.space.map(|space| *space.as_uuid());
        let target = change.named.clone();
        let entry = Entry { organizations, ids, actor, change: change.clone(), space, target };
        self.insert_entry::<InsertRefused>(&entry, Events::default())
    }

    fn insert_entry<S: Sql>(&mut self, entry: &Entry, events: Events) -> Result<()> {
        let Entry { organizations, ids, actor, change, space, target } = entry;
        S::bind((
            val::<Array<SqlUuid>, _>(organizations),
            val::<Array<SqlUuid>, _>(ids),
            val::<SqlUuid, _>(*actor.user.as_uuid()),
            val::<SqlUuid, _>(*actor.token.as_uuid()),
            val::<Text, _>(&*change.operation),
            val::<Text, _>(change.method.as_str()),
            val::<Text, _>(change.path.as_str()),
            val::<Nullable<SqlUuid>, _>(*space),
            val::<Nullable<Text>, _>(target.as_ref().map(|(kind, _)| kind.as_str())),
            val::<Nullable<Text>, _>(target.as_ref().map(|(_, id)| id.as_str())),
            val::<Nullable<Text>, _>(change.address.map(|address| address.to_string())),
            val::<Text, _>(change.request_id.as_str()),
            self.now_bind(),
            val::<Array<SqlUuid>, _>(events.organizations),
            val::<Array<Text>, _>(events.kinds),
            val::<Array<SqlUuid>, _>(events.ids),
            val::<Array<Jsonb>, _>(events.payloads),
            val::<Integer, _>(DELIVERY_TRIES),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Writes the entries of what was done, with the events of the transaction: one statement.
    pub(crate) fn write_entries(&mut self, entries: &[Entry], events: Events) -> Result<()> {
        match entries {
            [] if events.is_empty() => Ok(()),
            [] => self.write_events(events),
            [entry] => self.insert_entry::<InsertDone>(entry, events),
            entries => self.insert_entries(entries, events),
        }
    }

    fn insert_entries(&mut self, entries: &[Entry], events: Events) -> Result<()> {
        let EntryColumns { organizations, ids, entries } = EntryColumns::of(entries);
        let each = || entries.iter().copied();
        let target = |entry: &'_ Entry| entry.target.clone().unzip();
        let (kinds, targets): (Vec<_>, Vec<_>) = each().map(target).unzip();
        let spaces: Vec<Option<Uuid>> = each().map(|entry| entry.space).collect();
        let addresses: Vec<Option<String>> =
            each().map(|entry| entry.change.address.map(|address| address.to_string())).collect();
        InsertAllDone::bind((
            val::<Array<SqlUuid>, _>(organizations),
            val::<Array<SqlUuid>, _>(ids),
            val::<Array<SqlUuid>, _>(each().map(|entry| *entry.actor.user.as_uuid()).collect::<Vec<_>>()),
            val::<Array<SqlUuid>, _>(each().map(|entry| *entry.actor.token.as_uuid()).collect::<Vec<_>>()),
            val::<Array<Text>, _>(each().map(|entry| &*entry.change.operation).collect::<Vec<_>>()),
            val::<Array<Text>, _>(each().map(|entry| entry.change.method.as_str()).collect::<Vec<_>>()),
            val::<Array<Text>, _>(each().map(|entry| entry.change.path.as_str()).collect::<Vec<_>>()),
            val::<Array<Nullable<SqlUuid>>, _>(spaces),
            val::<Array<Nullable<Text>>, _>(kinds),
            val::<Array<Nullable<Text>>, _>(targets),
            val::<Array<Nullable<Text>>, _>(addresses),
            val::<Array<Text>, _>(each().map(|entry| entry.change.request_id.as_str()).collect::<Vec<_>>()),
            self.now_bind(),
            val::<Array<SqlUuid>, _>(events.organizations),
            val::<Array<Text>, _>(events.kinds),
            val::<Array<SqlUuid>, _>(events.ids),
            val::<Array<Jsonb>, _>(events.payloads),
            val::<Integer, _>(DELIVERY_TRIES),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    fn entry_keys(&self, organizations: &[OrganizationId]) -> (Vec<Uuid>, Vec<Uuid>) {
        organizations.iter().map(|id| (*id.as_uuid(), self.storage.ids().uuid())).unzip()
    }

    /// The organizations that a token concerns: all that its user belongs to, or those among them that it is limited to.
    ///
    /// # Errors
    /// When the statement fails.
    pub(crate) fn organizations_of_token(&mut self, token: TokenId) -> Result<Vec<OrganizationId>> {
        let rows: Vec<IdRow> =
            OrganizationsOfToken::bind((val::<SqlUuid, _>(*token.as_uuid()),)).load(self.connection)?;
        Ok(rows.into_iter().map(|row| OrganizationId::from_uuid(row.id)).collect())
    }
}

impl SystemTx<'_> {
    /// Writes what a command of the operator did, into the logs of these organizations.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn audit_command(&mut self, organizations: &[OrganizationId], command: Command<'_>) -> Result<()> {
        let (organizations, ids) = self.entry_keys(organizations);
        InsertCommand::bind((
            val::<Array<SqlUuid>, _>(organizations),
            val::<Array<SqlUuid>, _>(ids),
            val::<Text, _>(command.operation),
            val::<Nullable<Text>, _>(command.target.map(|(kind, _)| kind)),
            val::<Nullable<Text>, _>(command.target.map(|(_, id)| id)),
            self.now_bind(),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Returns the organizations that a user belongs to.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn organizations_of_user(&mut self, user: UserId) -> Result<Vec<OrganizationId>> {
        let rows: Vec<IdRow> =
            OrganizationsOfUser::bind((val::<SqlUuid, _>(*user.as_uuid()),)).load(self.connection)?;
        Ok(rows.into_iter().map(|row| OrganizationId::from_uuid(row.id)).collect())
    }

    /// Every organization of the deployment.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn all_organizations(&mut self) -> Result<Vec<OrganizationId>> {
        let rows: Vec<IdRow> = AllOrganizations::bind(()).load(self.connection)?;
        Ok(rows.into_iter().map(|row| OrganizationId::from_uuid(row.id)).collect())
    }
}
