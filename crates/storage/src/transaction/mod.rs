//! Units of work, each with a connection, the caller's credentials and a fixed time.

pub(crate) mod end_of_transaction;
pub mod group_commit;
mod group_write;

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use quire_database::functions::{hashtextextended, pg_advisory_xact_lock};
use quire_database::{Actor, Credentials};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, SpaceId};
use uuid::Uuid;

use crate::end_of_transaction::{Closing, PendingHead};
use crate::{Error, Result, Storage};

/// Read-only unit of work: authorizing lookups, and reads of their records.
pub struct Reader<'a> {
    pub(crate) connection: &'a mut PgConnection,
    pub(crate) storage: &'a Storage,
    pub(crate) credentials: &'a Credentials,
    pub(crate) now: Timestamp,
    pub(crate) actor: Option<Actor>,
    pub(crate) tenant: Option<Tenant>,
    pub(crate) created: Option<Created>,
    pub(crate) concerned: Vec<OrganizationId>,
    /// Operation name for the audit log, if the operation id of the request is not specific enough.
    pub(crate) operation: Option<&'static str>,
    /// Organizations, collections and spaces found by lookups.
    pub(crate) places: BTreeSet<Uuid>,
    in_transaction: bool,
    /// `true` if this reads on a replica, which does not accept writes.
    pub(crate) is_on_replica: bool,
}

/// Created object: its kind, as in `object`, and its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// Kind of the object, such as `space`.
    pub kind: &'static str,
    /// Id, slug or name.
    pub id: String,
}

/// Tenant of the work, found by a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// Organization.
    pub organization: OrganizationId,
    /// Space, if the lookup was for a space or a part of one.
    pub space: Option<SpaceId>,
}

/// Time of a piece of work, its actor and the target of its first lookup.
#[derive(Clone, Copy, Debug)]
pub struct LookupFacts {
    now: Timestamp,
    actor: Option<Actor>,
    tenant: Option<Tenant>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        connection: &'a mut PgConnection,
        storage: &'a Storage,
        credentials: &'a Credentials,
    ) -> Self {
        Self {
            connection,
            now: storage.clock().now(),
            storage,
            credentials,
            actor: None,
            tenant: None,
            created: None,
            concerned: Vec::new(),
            operation: None,
            places: BTreeSet::new(),
            in_transaction: false,
            is_on_replica: false,
        }
    }

    /// Returns the facts for a transaction of the same work.
    #[must_use]
    pub fn known(&self) -> LookupFacts {
        LookupFacts { now: self.now, actor: self.actor, tenant: self.tenant }
    }

    /// Returns the time of all of this work.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Returns the actor, if a lookup has found one.
    #[must_use]
    pub fn known_actor(&self) -> Option<Actor> {
        self.actor
    }

    /// Returns the organization or space of the first lookup.
    #[must_use]
    pub fn tenant(&self) -> Option<Tenant> {
        self.tenant
    }

    /// Records the result of a lookup. The first result is kept, which is for the resource in the path of the request.
    pub(crate) fn record_tenant(&mut self, organization: OrganizationId, space: Option<SpaceId>) {
        self.places.insert(organization.into());
        self.places.extend(space.map(Uuid::from));
        self.tenant.get_or_insert(Tenant { organization, space });
    }

    /// Returns whether the work runs in a transaction.
    pub(crate) fn is_in_transaction(&self) -> bool {
        self.in_transaction
    }

    /// Refuses work that must not run under a lock. The transaction then ends, and its work is drafted again.
    pub(crate) fn require_no_transaction(&self) -> Result<()> {
        if self.in_transaction { Err(Error::Outdated) } else { Ok(()) }
    }

    /// Returns the storage of this work.
    #[must_use]
    pub fn storage(&self) -> &'a Storage {
        self.storage
    }
}

impl LookupFacts {
    /// Creates the facts of a lookup that was batched with those of other requests.
    #[must_use]
    pub fn new(now: Timestamp, actor: Actor, tenant: Tenant) -> Self {
        Self { now, actor: Some(actor), tenant: Some(tenant) }
    }
}

/// Transaction: a [`Reader`] that can also write.
///
/// Rows are locked in a fixed order, which prevents deadlocks: organizations (for changes of their trees), then
/// collections, the site, spaces by id, the change request, and comments. At the end come the rows with changed comment
/// counters: the space, then the change request. This exception cannot deadlock: a transaction that waits for such a
/// row may hold comments, replies and reactions; a transaction that holds such a row either executes no other
/// statement, or has locked it early and takes no lock on a comment afterwards.
pub struct Tx<'a> {
    reader: Reader<'a>,
    /// Rows that are written at the end.
    pub(crate) closing: Closing,
    /// Head that pending edits move.
    pub(crate) held: Option<PendingHead>,
    /// Consequences of the request that have their own audit log entries.
    pub(crate) also: Vec<AlsoDone>,
    pub(crate) after: AfterCommit,
}

/// Consequence of a request that its operation id does not imply.
pub(crate) struct AlsoDone {
    pub(crate) organization: OrganizationId,
    pub(crate) operation: &'static str,
    /// Kind and id of the changed object.
    pub(crate) target: (String, String),
}

/// Work on this node that follows the commit of a transaction.
#[derive(Default)]
pub(crate) struct AfterCommit {
    /// `true` if a job was written that can run immediately.
    pub(crate) has_due_job: bool,
    /// Spaces whose heads moved, for the search index.
    pub(crate) moved_heads: Vec<SpaceId>,
    /// `true` if specifications changed, for the search index.
    pub(crate) has_changed_specs: bool,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(
        connection: &'a mut PgConnection,
        storage: &'a Storage,
        credentials: &'a Credentials,
    ) -> Self {
        let reader = Reader { in_transaction: true, ..Reader::new(connection, storage, credentials) };
        Self {
            reader,
            closing: Closing::default(),
            held: None,
            also: Vec::new(),
            after: AfterCommit::default(),
        }
    }

    /// Adopts the facts of the work before the transaction.
    pub(crate) fn know(&mut self, known: LookupFacts) {
        self.reader.now = known.now;
        self.act_for(known);
    }

    /// Continues with the work of one of several actors. All of their work has the time of the transaction.
    pub(crate) fn act_for(&mut self, LookupFacts { now: _, actor, tenant }: LookupFacts) {
        (self.reader.actor, self.reader.tenant) = (actor, tenant);
        self.reader.created = None;
        self.reader.concerned.clear();
        self.reader.operation = None;
        self.also.clear();
    }

    /// Returns `false` if a statement failed, after which PostgreSQL refuses all further statements. Takes one round
    /// trip.
    pub(crate) fn is_usable(&mut self) -> bool {
        self.connection.batch_execute("SELECT 1").is_ok()
    }

    /// Serializes transactions that count the same things of a space, so that each sees what the previous ones added.
    pub(crate) fn take_turns(&mut self, things: &str, space: SpaceId) -> Result<()> {
        let key = hashtextextended(format!("{things} {space}"), 0);
        diesel::select(pg_advisory_xact_lock(key)).execute(self.connection)?;
        Ok(())
    }

    /// Disables the statement timeout in this transaction, for work that no request waits for.
    pub(crate) fn disable_statement_timeout(&mut self) -> Result<()> {
        Ok(self.connection.batch_execute("SET LOCAL statement_timeout = 0")?)
    }

    /// Adds organizations whose audit logs get the entry of this request.
    pub(crate) fn concern(&mut self, organizations: impl IntoIterator<Item = OrganizationId>) {
        self.reader.concerned.extend(organizations);
    }

    /// Sets the operation name for the audit log, if the operation id of the request is not specific enough.
    pub(crate) fn record_operation(&mut self, operation: &'static str) {
        self.reader.operation = Some(operation);
    }

    /// Records a consequence of the request, which gets its own entry in the audit log of an organization.
    pub(crate) fn record_also(
        &mut self,
        organization: OrganizationId,
        operation: &'static str,
        (kind, id): (&'static str, impl ToString),
    ) {
        self.also.push(AlsoDone { organization, operation, target: (kind.to_owned(), id.to_string()) });
    }

    /// Records a created object. The last one is kept: earlier ones were created only for its sake, such as a site's
    /// new space.
    pub fn record_created(&mut self, kind: &'static str, id: impl ToString) {
        self.reader.created = Some(Created { kind, id: id.to_string() });
    }
}

impl<'a> Deref for Tx<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.reader
    }
}

impl<'a> DerefMut for Tx<'a> {
    fn deref_mut(&mut self) -> &mut Reader<'a> {
        &mut self.reader
    }
}
