//! Units of work: a connection, the caller's credentials and one moment in time.

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

use crate::end_of_transaction::{Closing, HeldHead};
use crate::{Error, Result, Storage};

/// Read-only unit of work: authorizing lookups, and reads of the records that they found.
pub struct Reader<'a> {
    pub(crate) connection: &'a mut PgConnection,
    pub(crate) storage: &'a Storage,
    pub(crate) credentials: &'a Credentials,
    pub(crate) now: Timestamp,
    pub(crate) actor: Option<Actor>,
    pub(crate) tenant: Option<Tenant>,
    pub(crate) created: Option<Created>,
    pub(crate) concerned: Vec<OrganizationId>,
    /// Name of what the request does, if the id of its operation does not say it.
    pub(crate) operation: Option<&'static str>,
    /// Organizations, collections and spaces that lookups found.
    pub(crate) places: BTreeSet<Uuid>,
    in_transaction: bool,
    /// `true` if this reads on a replica, which can't be written to.
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

/// Tenant that the work belongs to, as a lookup found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// The organization.
    pub organization: OrganizationId,
    /// The space, when it was one, or something in one.
    pub space: Option<SpaceId>,
}

/// The time of a piece of work, its actor and the target of its first lookup.
#[derive(Clone, Copy, Debug)]
pub struct Known {
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

    /// Returns the facts that a transaction for the same work starts with.
    #[must_use]
    pub fn known(&self) -> Known {
        Known { now: self.now, actor: self.actor, tenant: self.tenant }
    }

    /// The moment that all of this work happens at.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Returns the actor, if a lookup has found one.
    #[must_use]
    pub fn known_actor(&self) -> Option<Actor> {
        self.actor
    }

    /// The organization or space of the first lookup.
    #[must_use]
    pub fn tenant(&self) -> Option<Tenant> {
        self.tenant
    }

    /// Notes the result of a lookup. The first one stays: the one that the request names in its path.
    pub(crate) fn record_tenant(&mut self, organization: OrganizationId, space: Option<SpaceId>) {
        self.places.insert(organization.into());
        self.places.extend(space.map(Uuid::from));
        self.tenant.get_or_insert(Tenant { organization, space });
    }

    /// Returns whether the work is one transaction.
    pub(crate) fn is_in_transaction(&self) -> bool {
        self.in_transaction
    }

    /// Refuses work that must not be done under a lock: a transaction that turns out to need it ends, and its draft is
    /// made again.
    pub(crate) fn require_no_transaction(&self) -> Result<()> {
        if self.in_transaction { Err(Error::Outdated) } else { Ok(()) }
    }

    /// The storage that this work runs on.
    #[must_use]
    pub fn storage(&self) -> &'a Storage {
        self.storage
    }
}

impl Known {
    /// The facts of a lookup that was done together with those of other requests.
    #[must_use]
    pub fn new(now: Timestamp, actor: Actor, tenant: Tenant) -> Self {
        Self { now, actor: Some(actor), tenant: Some(tenant) }
    }
}

/// A transaction: whatever a [`Reader`] can, and changes.
///
/// Rows are locked in one order, so that no two transactions wait for each other: organizations (for what changes their
/// trees), then collections, the site, spaces by their ids, the change request, and comments. At the end come the rows
/// whose counters of comments change: the space, then the change request. This breaks the order without a deadlock. A
/// transaction that waits for such a row may hold comments, replies and reactions; one that holds such a row either
/// executes no other statement, or has locked it early and takes no lock on a comment afterwards.
pub struct Tx<'a> {
    reader: Reader<'a>,
    /// Rows that are written at the end.
    pub(crate) closing: Closing,
    /// The head that noted edits move.
    pub(crate) held: Option<HeldHead>,
    /// Consequences of the request, each with an entry of its own in the audit log.
    pub(crate) also: Vec<AlsoDone>,
    pub(crate) after: AfterCommit,
}

/// Consequence of a request that the id of its operation does not say.
pub(crate) struct AlsoDone {
    pub(crate) organization: OrganizationId,
    pub(crate) operation: &'static str,
    /// Kind and id of what was changed.
    pub(crate) target: (String, String),
}

/// Work of this node that a transaction causes once it is committed.
#[derive(Default)]
pub(crate) struct AfterCommit {
    /// `true` if a job was written that can run at once.
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

    /// Takes over the facts of the work before the transaction.
    pub(crate) fn know(&mut self, known: Known) {
        self.reader.now = known.now;
        self.act_for(known);
    }

    /// Goes on with the work of one of several actors. All that they do has the time of the transaction.
    pub(crate) fn act_for(&mut self, Known { now: _, actor, tenant }: Known) {
        (self.reader.actor, self.reader.tenant) = (actor, tenant);
        self.reader.created = None;
        self.reader.concerned.clear();
        self.reader.operation = None;
        self.also.clear();
    }

    /// Returns false if a statement failed, after which PostgreSQL refuses all others: one round trip.
    pub(crate) fn is_usable(&mut self) -> bool {
        self.connection.batch_execute("SELECT 1").is_ok()
    }

    /// Has transactions that count the same things of a space count one after the other: each then sees what those
    /// before it added.
    pub(crate) fn take_turns(&mut self, things: &str, space: SpaceId) -> Result<()> {
        let key = hashtextextended(format!("{things} {space}"), 0);
        diesel::select(pg_advisory_xact_lock(key)).execute(self.connection)?;
        Ok(())
    }

    /// Removes the time limit of statements in this transaction: for work that no request waits for.
    pub(crate) fn disable_statement_timeout(&mut self) -> Result<()> {
        Ok(self.connection.batch_execute("SET LOCAL statement_timeout = 0")?)
    }

    /// Notes further organizations whose audit logs get the entry of this request.
    pub(crate) fn concern(&mut self, organizations: impl IntoIterator<Item = OrganizationId>) {
        self.reader.concerned.extend(organizations);
    }

    /// Notes what the request does, for the audit log, if the id of its operation does not say it.
    pub(crate) fn record_operation(&mut self, operation: &'static str) {
        self.reader.operation = Some(operation);
    }

    /// Notes a consequence of the request, which has an entry of its own in the audit log of an organization.
    pub(crate) fn record_also(
        &mut self,
        organization: OrganizationId,
        operation: &'static str,
        (kind, id): (&'static str, impl ToString),
    ) {
        self.also.push(AlsoDone { organization, operation, target: (kind.to_owned(), id.to_string()) });
    }

    /// Notes what was created. The last stays: what comes before it was made for its sake, as a site's new space is.
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
